// How the people of a gang take a step: somebody waits, sees how an order stands, and tries a call.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { ORDER_SIZES, type OrderSize } from '../../domain/orders.ts';
import { placeOrder } from '../../testing/orderSteps.ts';
import { chooseWeighted, type Random } from '../../testing/random.ts';
import { captureOutcome, throwIfOverloaded } from '../callOutcome.ts';
import { type BoardOrder, readBoard } from './gangBoard.ts';
import { send } from './gangCalls.ts';
import type { Group, Member } from './gangGroup.ts';
import { GANG_PROMO, type GangTown } from './gangTown.ts';
import type { Choice, Verb } from './gangVerbs.ts';

/** How long a member waits before a step: so many ms, or until everybody was paid. */
export type Wait = number | 'Monday';

export type Placing = {
  readonly size: OrderSize;
  readonly hasPromo: boolean;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
};

/** A step that somebody has tried, as it can be tried with another order. */
export type Move = { readonly wait: Wait; readonly member: string; readonly verb: Verb; readonly choice: Choice };

/** An order of the gang and everything that was tried with it. */
export type Tried = {
  readonly id: string;
  readonly placing: Placing;
  readonly bud: string;
  readonly moves: Move[];
  lastAt: number;
};

export type Life = {
  readonly town: GangTown;
  readonly group: Group;
  readonly random: Random;
  readonly orders: Tried[];
  /** What was done, to explain a failure. */
  readonly trace: string[];
  readonly counts: Record<string, number>;
  readonly endsAt: number;
  /** Whether it repeats only what is not held from payouts. */
  readonly isCautious: boolean;
  movesLeft: number;
  /** Whether it has found something that pays. */
  hasLead: boolean;
};

export const LONG_MS = 6 * HOUR_MS;
/** How long after another a step follows that is ready. */
export const SOON_MS = 2_000;

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
/** One of a list at random, in proportion to its weight. Undefined when none has any. */
export function pickByWeight<T>(random: Random, from: readonly T[], weightOf: (one: T) => number): T | undefined {
  let left = random() * from.reduce((sum, one) => sum + weightOf(one), 0);
  for (const one of from) {
    left -= weightOf(one);
    if (left < 0) return one;
  }
  return undefined;
}

export const isOver = ({ town, endsAt, movesLeft }: Life) => movesLeft <= 0 || town.now() >= endsAt;

export function chooseWait(random: Random): Wait {
  const kind = chooseWeighted(random, { seconds: 12, door: 5, minutes: 3, hours: 0.7, day: 0.35, Monday: 0.12 });
  const ms = {
    seconds: SOON_MS,
    door: 6 * MINUTE_MS,
    minutes: 25 * MINUTE_MS,
    hours: 5 * HOUR_MS,
    day: DAY_MS + HOUR_MS,
  };
  return kind === 'Monday' ? 'Monday' : ms[kind];
}

export async function wait({ town, trace, endsAt }: Life, how: Wait): Promise<void> {
  if (how === 'Monday') {
    trace.push('— Monday: the town pays');
    await town.passMonday();
  } else if (how > 0) {
    if (how >= LONG_MS) trace.push(`— ${Math.round(how / HOUR_MS)} hours`);
    await town.pass(Math.min(how, Math.max(0, endsAt - town.now())));
  }
}

export const choosePlacing = (random: Random, { preset }: Group): Placing => ({
  size: chooseWeighted(random, { Small: 2, Medium: 3, Large: 1, XL: 1, XXL: 1, Family: 1 }),
  hasPromo: random() < 0.15,
  selfDelivery: preset === 'open' && random() < 0.1,
  selfPickup: preset === 'open' && random() < 0.1,
});

/** A Bud places an order. Undefined when the town refuses it. */
export async function place(life: Life, bud: Member, placing: Placing): Promise<Tried | undefined> {
  const { town, group, random, trace } = life;
  const scrub = pick(
    random,
    group.members.filter(({ role }) => role === 'Scrub'),
  );
  const { size: loadSize, hasPromo, selfDelivery, selfPickup } = placing;
  const limit = group.preset === 'careful' ? { ceilingSize: heavierOf(loadSize) } : {};
  const promo = hasPromo ? { promoCode: GANG_PROMO.code } : {};
  const more = { loadSize, selfDelivery, selfPickup, ...limit, ...promo };
  life.movesLeft -= 1;
  const outcome = await captureOutcome(() => placeOrder({ bud: bud.user, scrub: scrub.user }, more));
  count(life, outcome);
  const { answer, message } = outcome;
  const number = answer ? `#${life.orders.length + 1}` : message;
  trace.push(`${bud.name} places ${JSON.stringify(placing)} with ${scrub.name}: ${number}`);
  if (!answer) return undefined;
  const tried: Tried = { id: answer.id, placing, bud: bud.name, moves: [], lastAt: town.now() };
  life.orders.push(tried);
  return tried;
}

const heavierOf = (size: OrderSize): OrderSize => ORDER_SIZES[Math.min(ORDER_SIZES.indexOf(size) + 1, 5)] ?? size;

function count(life: Life, outcome: { readonly status: number }): void {
  throwIfOverloaded([outcome]);
  life.counts[outcome.status] = (life.counts[outcome.status] ?? 0) + 1;
}

/** Tries a step with an order. Whether it was taken; undefined when the order is in no state for it. */
export async function tryMove(life: Life, tried: Tried, move: Move): Promise<boolean | undefined> {
  const { town, group, trace } = life;
  await wait(life, move.wait);
  const order = await readBoard(town.db, tried.id);
  const member = group.members.find(({ name }) => name === move.member);
  const subject = member && move.verb.find(order, personOf(member));
  if (!member || !subject) return undefined;
  life.movesLeft -= 1;
  const outcome = await captureOutcome(() =>
    send({
      ...{ user: member.user, verb: move.verb, choice: move.choice, order, subject },
      ...{ now: town.now(), lastAt: tried.lastAt, askPin: () => askPin(life, order, subject.delivery, tried) },
      otherScrubId: group.members.find(({ role, user }) => role === 'Scrub' && user.user.id !== order.scrubId)?.user
        .user.id,
    }),
  );
  count(life, outcome);
  const isTaken = outcome.status === 200;
  const choice = isTaken ? ` ${JSON.stringify(move.choice)}` : `: ${outcome.message}`;
  trace.push(`  #${life.orders.indexOf(tried) + 1} ${member.name} ${move.verb.name}${choice}`);
  if (isTaken) {
    tried.lastAt = town.now();
    await town.waitForCards();
  }
  return isTaken;
}

export const personOf = ({ user, role }: Member) => ({ id: user.user.id, role });

/** At 10 m/s, a Duber is at the door of a stranger after so long. */
export const HONEST_WAY_MS = 4 * MINUTE_MS;

/** The one who takes the laundry tells their PIN: a friend at once, anybody else at their door. */
async function askPin(
  { town, group }: Life,
  order: BoardOrder,
  delivery: BoardOrder['deliveries'][number] | undefined,
  { lastAt }: Tried,
): Promise<string | undefined> {
  const isForScrub = (delivery?.type === 'Bud_To_Scrub') === (delivery?.status !== 'Way_Back');
  const recipient = group.members.find(({ user }) => user.user.id === (isForScrub ? order.scrubId : order.budId));
  if (!recipient?.isOfGang && town.now() - lastAt < HONEST_WAY_MS) return undefined;
  return (await recipient?.user.api.readCustody({ params: { id: order.id } }))?.pin ?? undefined;
}
