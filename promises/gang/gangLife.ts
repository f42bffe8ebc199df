// A life of a gang: its people try steps at random, and do again with other orders what has paid.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { ORDER_SIZES, type OrderSize } from '../../domain/orders.ts';
import { setPresetForAdmitted } from '../../testing/policies.ts';
import { chooseWeighted, type Random } from '../../testing/random.ts';
import { captureOutcome, throwIfOverloaded } from '../callOutcome.ts';
import { placeOrder } from '../../testing/orderSteps.ts';
import { type BoardOrder, readBoard } from './gangBoard.ts';
import { readScores } from './gangBooks.ts';
import { send } from './gangCalls.ts';
import { budsOf, type Group, type Member, workersOf } from './gangGroup.ts';
import { GANG_PROMO, type GangTown } from './gangTown.ts';
import { type Choice, chooseWell, GOOD_DAY, VERBS, type Verb } from './gangVerbs.ts';

/** How long a member waits before a step: so many ms, or until everybody was paid. */
type Wait = number | 'Monday';

type Placing = {
  readonly size: OrderSize;
  readonly hasPromo: boolean;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
};

/** A step that somebody has tried, as it can be tried with another order. */
type Move = { readonly wait: Wait; readonly member: string; readonly verb: Verb; readonly choice: Choice };

/** An order of the gang and everything that was tried with it. */
type Tried = {
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
};

const MOVES_PER_LIFE = 260;
const MOST_LOOPS = 14;
const LONG_MS = 6 * HOUR_MS;

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const isOver = ({ town, endsAt, movesLeft }: Life) => movesLeft <= 0 || town.now() >= endsAt;

function chooseWait(random: Random): Wait {
  const kind = chooseWeighted(random, { seconds: 12, door: 5, minutes: 3, hours: 0.7, day: 0.35, Monday: 0.12 });
  const ms = { seconds: 2_000, door: 6 * MINUTE_MS, minutes: 25 * MINUTE_MS, hours: 5 * HOUR_MS, day: DAY_MS + HOUR_MS };
  return kind === 'Monday' ? 'Monday' : ms[kind];
}

async function wait({ town, trace, endsAt }: Life, how: Wait): Promise<void> {
  if (how === 'Monday') {
    trace.push('— Monday: the town pays');
    await town.passMonday();
  } else if (how > 0) {
    if (how >= LONG_MS) trace.push(`— ${Math.round(how / HOUR_MS)} hours`);
    await town.pass(Math.min(how, Math.max(0, endsAt - town.now())));
  }
}

const choosePlacing = (random: Random, { preset }: Group): Placing => ({
  size: chooseWeighted(random, { Small: 2, Medium: 3, Large: 1, XL: 1, XXL: 1, Family: 1 }),
  hasPromo: random() < 0.15,
  selfDelivery: preset === 'open' && random() < 0.1,
  selfPickup: preset === 'open' && random() < 0.1,
});

/** A Bud places an order. Undefined when the town refuses it. */
async function place(life: Life, bud: Member, placing: Placing): Promise<Tried | undefined> {
  const { town, group, random, trace } = life;
  const scrub = pick(random, group.members.filter(({ role }) => role === 'Scrub'));
  const { size: loadSize, hasPromo, selfDelivery, selfPickup } = placing;
  const ceiling = group.preset === 'careful' ? { ceilingSize: heavierOf(loadSize) } : {};
  const promo = hasPromo ? { promoCode: GANG_PROMO.code } : {};
  const more = { loadSize, selfDelivery, selfPickup, ...ceiling, ...promo };
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
async function tryMove(life: Life, tried: Tried, move: Move): Promise<boolean | undefined> {
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
      ...{ now: town.now(), lastAt: tried.lastAt, askPin: () => askPin(life, order, subject.leg, tried) },
      otherScrubId: group.members.find(({ role, user }) => role === 'Scrub' && user.user.id !== order.scrubId)?.user.user.id,
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

const personOf = ({ user, role }: Member) => ({ id: user.user.id, role });

/** At 10 m/s, a Duber is at the door of a stranger after so long. */
const HONEST_WAY_MS = 4 * MINUTE_MS;

/** The one who takes the laundry tells their PIN: a friend at once, anybody else at their door. */
async function askPin(
  { town, group }: Life,
  order: BoardOrder,
  leg: BoardOrder['legs'][number] | undefined,
  { lastAt }: Tried,
): Promise<string | undefined> {
  const isForScrub = (leg?.type === 'Bud_To_Scrub') === (leg?.status !== 'Way_Back');
  const taker = group.members.find(({ user }) => user.user.id === (isForScrub ? order.scrubId : order.budId));
  if (!taker?.isOfGang && town.now() - lastAt < HONEST_WAY_MS) return undefined;
  return (await taker?.user.api.readCustody({ params: { id: order.id } }))?.pin ?? undefined;
}

/** What people who are in no gang do. */
const HONEST: readonly string[] = ['accept-order', 'start-order', 'complete-order', 'weigh', 're-offer', 'has-bags'];

type Option = { readonly member: Member; readonly verb: Verb };

function optionsOf({ group, random }: Life, order: BoardOrder, isGood: boolean): Option[] {
  const verbs = isGood ? VERBS.filter(({ name }) => GOOD_DAY.includes(name)) : VERBS;
  return group.members.flatMap((member) =>
    verbs
      .filter(({ role, name }) => role === member.role && (member.isOfGang || HONEST.includes(name)))
      .filter(({ name }) => member.isOfGang || name !== 'has-bags' || random() < 0.1)
      .filter((verb) => verb.find(order, personOf(member)) !== undefined)
      .map((verb) => ({ member, verb })),
  );
}

function chooseOption({ random }: Life, options: readonly Option[]): Option | undefined {
  let left = random() * options.reduce((sum, { verb }) => sum + verb.weight, 0);
  return options.find(({ verb }) => (left -= verb.weight) < 0);
}

/** Tries something at random with an order, and remembers it when the server took it. */
async function explore(life: Life, tried: Tried, isGood = false): Promise<boolean> {
  const { town, random } = life;
  const how = isGood ? 1_000 : chooseWait(random);
  await wait(life, how);
  const found = chooseOption(life, optionsOf(life, await readBoard(town.db, tried.id), isGood));
  if (!found) return false;
  const { member, verb } = found;
  const choice = isGood || !member.isOfGang ? chooseWell(random, verb) : verb.choose(random);
  const move = { wait: how, member: member.name, verb, choice };
  if (await tryMove(life, tried, { ...move, wait: 0 })) tried.moves.push(move);
  return true;
}

/** How far an order goes as on a good day before the gang begins to try things. */
const OPENINGS = { 0: 3, 1: 3, 3: 4, 4: 1, 6: 2, 8: 2, 13: 4 } as const;

async function tryNewOrder(life: Life): Promise<void> {
  const { random, group } = life;
  const bud = pick(random, group.members.filter(({ role }) => role === 'Bud'));
  const tried = await place(life, bud, choosePlacing(random, group));
  if (!tried) return;
  const opening = Number(chooseWeighted(random, OPENINGS));
  for (let step = 0; step < opening && !isOver(life); step += 1) if (!(await explore(life, tried, true))) break;
  const more = 2 + Math.floor(random() * 8);
  for (let step = 0; step < more && !isOver(life); step += 1) await explore(life, tried);
}

/** Some days later, something more with an order of before. */
async function tryOldOrder(life: Life): Promise<void> {
  const tried = pick(life.random, life.orders.slice(-30));
  const more = 1 + Math.floor(life.random() * 4);
  for (let step = 0; step < more && !isOver(life); step += 1) await explore(life, tried);
}

/** The moves between two long waits: all orders of a loop come to the end of one before the next begins. */
function phasesOf(moves: readonly Move[]): Move[][] {
  const phases: Move[][] = [[]];
  for (const move of moves) {
    if (move.wait === 'Monday' || move.wait >= LONG_MS) phases.push([]);
    phases.at(-1)?.push(move);
  }
  return phases;
}

/** Does the same with other orders. */
async function repeatWith(life: Life, moves: readonly Move[], orders: readonly Tried[]): Promise<void> {
  for (const phase of phasesOf(moves)) {
    await wait(life, phase[0]?.wait ?? 0);
    for (const tried of orders) {
      for (const [index, move] of phase.entries()) {
        if (isOver(life)) return;
        if (await tryMove(life, tried, index === 0 ? { ...move, wait: 0 } : move)) tried.moves.push(move);
      }
    }
  }
}

/** Orders the same again and does the same with it, several times. */
async function repeat(life: Life, { placing, bud: name, moves }: Tried): Promise<void> {
  const { group, random } = life;
  const loops = 1 + Math.floor(random() * MOST_LOOPS);
  const copy = [...moves];
  const isLong = phasesOf(copy).length > 1;
  life.trace.push(`${loops} times what was done with #${life.orders.findIndex((one) => one.moves === moves) + 1}`);
  const placed: Tried[] = [];
  for (let loop = 0; loop < loops && !isOver(life); loop += 1) {
    const bud = group.members.find((one) => one.name === name) as Member;
    const tried = await place(life, bud, placing);
    if (tried && isLong) placed.push(tried);
    else if (tried) await repeatWith(life, copy, [tried]);
  }
  if (isLong) await repeatWith(life, copy, placed);
}

/** An order of those that have brought something, the more the rather; undefined when there is none. */
async function chooseProfitable({ town, group, orders, random, isCautious }: Life): Promise<Tried | undefined> {
  const scores = await readScores(town.db, { buds: budsOf(group), workers: workersOf(group), isCautious });
  const paying = orders.filter(({ id, moves }) => moves.length > 0 && (scores.get(id) ?? 0) > 0);
  let left = random() * paying.reduce((sum, { id }) => sum + (scores.get(id) ?? 0), 0);
  return paying.find(({ id }) => (left -= scores.get(id) ?? 0) < 0);
}

/** Does with an older order what was done last with another one. */
async function repeatTail(life: Life): Promise<void> {
  const { random, orders } = life;
  const from = (await chooseProfitable(life)) ?? pick(random, orders);
  const others = orders.filter((one) => one !== from && random() < 0.6).slice(-MOST_LOOPS);
  const tail = from.moves.slice(-1 - Math.floor(random() * 5));
  life.trace.push(`the last ${tail.length} of #${orders.indexOf(from) + 1} with others`);
  await repeatWith(life, tail.map((move) => ({ ...move, wait: move.wait === 'Monday' ? 1_000 : move.wait })), others);
}

/** The town closes a case that nobody has decided, without money. */
async function closeCase({ town, trace, random, orders }: Life): Promise<void> {
  const { cases } = await readBoard(town.db, pick(random, orders).id);
  const one = cases.find(({ status }) => status === 'with-town');
  if (!one) return;
  const { status } = await captureOutcome(() => town.closeCase(one.id));
  trace.push(`the town closes a case ${one.kind}: ${status}`);
}

async function takeTurn(life: Life): Promise<void> {
  const { random, orders } = life;
  const profitable = await chooseProfitable(life);
  const kind =
    orders.length === 0
      ? 'new'
      : chooseWeighted(random, {
          ...{ new: 4, old: 3, tail: 1.5, again: profitable ? 8 : 0.7, town: 0.2, wait: 0.6, Monday: 0.25 },
        });
  if (kind === 'new') await tryNewOrder(life);
  else if (kind === 'old') await tryOldOrder(life);
  else if (kind === 'tail') await repeatTail(life);
  else if (kind === 'town') await closeCase(life);
  else if (kind === 'again') await repeat(life, profitable ?? pick(random, orders));
  else await wait(life, kind === 'Monday' ? 'Monday' : DAY_MS);
}

/** After the weeks of a gang, everything that can still happen by itself happens, and the town pays once more. */
const AFTERWARDS_MS = 24 * DAY_MS;

export async function liveAsGang(town: GangTown, group: Group, random: Random): Promise<Life> {
  await setPresetForAdmitted(town.db, group.preset, new Date(town.now()));
  await town.passMonday();
  const life: Life = {
    ...{ town, group, random, orders: [], trace: [], counts: {}, isCautious: random() < 0.5 },
    ...{ endsAt: town.now() + group.weeks * 7 * DAY_MS - 2 * HOUR_MS, movesLeft: MOVES_PER_LIFE },
  };
  while (!isOver(life)) await takeTurn(life);
  await town.pass(Math.max(0, life.endsAt - town.now()) + AFTERWARDS_MS);
  await town.passMonday();
  return life;
}
