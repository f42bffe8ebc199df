// A life of a gang: its people try steps at random, and do again with other orders what has paid.

import { ACTIVE_STATUSES } from '../../domain/deliveries.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { setPresetForAdmitted } from '../../testing/policies.ts';
import { chooseWeighted, type Random } from '../../testing/random.ts';
import { captureOutcome } from '../callOutcome.ts';
import { type BoardOrder, readBoard } from './gangBoard.ts';
import { budsOf, createSmallGroup, type Group, type Member, workersOf } from './gangGroup.ts';
import { readScores } from './gangMoney.ts';
import {
  choosePlacing,
  chooseWait,
  HONEST_WAY_MS,
  isOver,
  type Life,
  LONG_MS,
  type Move,
  personOf,
  pick,
  pickByWeight,
  place,
  SOON_MS,
  type Tried,
  tryMove,
  type Wait,
  wait,
} from './gangSteps.ts';
import type { GangTown } from './gangTown.ts';
import { TRICKS, type Trick } from './gangTricks.ts';
import { type Choice, chooseWell, GOOD_DAY, isHandover, OPENINGS, VERBS, type Verb } from './gangVerbs.ts';

const MOVES_PER_LIFE = 120;
/** A gang that has found something that pays goes on with it for so many more moves. */
const MORE_WITH_A_LEAD = 280;
const MOST_LOOPS = 14;

/** The steps of people who are in no gang. */
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

const chooseOption = ({ random }: Life, options: readonly Option[]) =>
  pickByWeight(random, options, ({ verb }) => verb.weight);

/** Tries something with an order, and remembers it when the server took it. */
async function tryOption(
  life: Life,
  tried: Tried,
  { member, verb }: Option,
  how: Wait,
  choice: Choice,
): Promise<boolean> {
  const move = { wait: how, member: member.name, verb, choice };
  const isTaken = (await tryMove(life, tried, { ...move, wait: 0 })) === true;
  if (isTaken) tried.moves.push(move);
  return isTaken;
}

/** Tries something at random. */
async function explore(life: Life, tried: Tried, isGood = false): Promise<void> {
  const { town, random } = life;
  const how = isGood ? SOON_MS : chooseWait(random);
  await wait(life, how);
  const found = chooseOption(life, optionsOf(life, await readBoard(town.db, tried.id), isGood));
  if (!found) return;
  const isMeant = isGood || !found.member.isOfGang;
  await tryOption(life, tried, found, how, isMeant ? chooseWell(found.verb) : found.verb.choose(random));
}

/** Brings an order so far as on a good day. */
async function open(life: Life, tried: Tried, verbs: readonly string[]): Promise<void> {
  const { town, group } = life;
  for (const name of verbs) {
    if (isOver(life)) return;
    // At the doors of strangers, a Duber is there as late as everybody.
    const how = group.kind === 'strangers' && isHandover(name) ? HONEST_WAY_MS : SOON_MS;
    await wait(life, how);
    const options = optionsOf(life, await readBoard(town.db, tried.id), true).filter(({ verb }) => verb.name === name);
    const found = chooseOption(life, options);
    if (found) await tryOption(life, tried, found, how, chooseWell(found.verb));
    else if (name !== 'weigh') return;
  }
}

/** Where the gang begins to try things. */
const BEGINNINGS: Readonly<Record<keyof typeof OPENINGS, number>> = {
  ...{ requested: 1, accepted: 3, 'on the way': 5, carried: 2, 'at the Scrub': 1, cleaned: 1, 'on the way back': 2 },
  delivered: 4,
};

async function tryNewOrder(life: Life): Promise<void> {
  const { random, group } = life;
  const bud = pick(
    random,
    group.members.filter(({ role }) => role === 'Bud'),
  );
  const tried = await place(life, bud, choosePlacing(random, group));
  if (!tried) return;
  await open(life, tried, OPENINGS[chooseWeighted(random, BEGINNINGS)]);
  await exploreSome(life, tried, 2 + Math.floor(random() * 6));
}

async function exploreSome(life: Life, tried: Tried, steps: number): Promise<void> {
  for (let step = 0; step < steps && !isOver(life); step += 1) await explore(life, tried);
}

/** Some days later, something more with an order of before. */
async function tryOldOrder(life: Life): Promise<void> {
  const tried = pick(life.random, life.orders.slice(-30));
  await exploreSome(life, tried, 1 + Math.floor(life.random() * 4));
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

/** Leaves one of the steps out, to see whether it pays without it. */
function leaveOneOut(random: Random, moves: readonly Move[]): Move[] {
  const left = Math.floor(random() * moves.length);
  return moves.filter((_, index) => index !== left);
}

/** Places so many orders, and does the same with each. */
async function placeAndDo(life: Life, bud: Member, plan: Pick<Trick, 'orders' | 'placing' | 'moves'>): Promise<void> {
  const { orders, placing, moves } = plan;
  const isLong = phasesOf(moves).length > 1;
  const placed: Tried[] = [];
  for (let order = 0; order < orders && !isOver(life); order += 1) {
    const tried = await place(life, bud, placing);
    if (tried && isLong) placed.push(tried);
    else if (tried) await repeatWith(life, moves, [tried]);
  }
  if (isLong) await repeatWith(life, moves, placed);
}

/** Orders the same again and does the same with it, several times. */
async function repeat(life: Life, from: Tried): Promise<void> {
  const { group, random, orders, trace } = life;
  const isTrial = random() < 0.4;
  const loops = 1 + Math.floor(random() * (isTrial ? 1 : MOST_LOOPS));
  const moves = isTrial ? leaveOneOut(random, from.moves) : [...from.moves];
  trace.push(`${loops} times what was done with #${orders.indexOf(from) + 1}${isTrial ? ', without one step' : ''}`);
  const bud = group.members.find(({ name }) => name === from.bud);
  if (bud) await placeAndDo(life, bud, { orders: loops, placing: from.placing, moves });
}

/** Tries a trick that once paid, without one of its steps or up to one of them, and then something at random. */
async function tryTrick(life: Life): Promise<void> {
  const { random, group, trace } = life;
  const trick = pick(random, TRICKS);
  const bud = group.members.find(({ role }) => role === 'Bud');
  if (!bud) return;
  const moves =
    random() < 0.5
      ? leaveOneOut(random, trick.moves)
      : trick.moves.slice(0, 1 + Math.floor(random() * trick.moves.length));
  trace.push(`as was once done: ${trick.name}`);
  const tried = await place(life, bud, choosePlacing(random, group));
  if (!tried) return;
  await repeatWith(life, moves, [tried]);
  await exploreSome(life, tried, 4);
}

/** An order of those that have brought something, the more for a step the rather; undefined when there is none. */
async function chooseProfitable(life: Life): Promise<Tried | undefined> {
  const { town, group, orders, random, isCautious } = life;
  const scores = await readScores(town.db, { buds: budsOf(group), workers: workersOf(group), isCautious });
  const perStep = ({ id, moves }: Tried) => Math.max(0, scores.get(id) ?? 0) / (moves.length + 1);
  const found = pickByWeight(random, orders, (tried) => perStep(tried) ** 2);
  if (found && !life.hasLead) {
    life.hasLead = true;
    life.movesLeft += MORE_WITH_A_LEAD;
  }
  return found;
}

/** Does with an older order what was done last with another one. */
async function repeatTail(life: Life): Promise<void> {
  const { random, orders } = life;
  const from = (await chooseProfitable(life)) ?? pick(random, orders);
  const others = orders.filter((one) => one !== from && random() < 0.6).slice(-MOST_LOOPS);
  const tail = from.moves.slice(-1 - Math.floor(random() * 5));
  life.trace.push(`the last ${tail.length} of #${orders.indexOf(from) + 1} with others`);
  await repeatWith(
    life,
    tail.map((move) => ({ ...move, wait: move.wait === 'Monday' ? 1_000 : move.wait })),
    others,
  );
}

/** The town closes a case that nobody has decided, without money. */
async function closeCase({ town, trace, random, orders }: Life): Promise<void> {
  const { cases } = await readBoard(town.db, pick(random, orders).id);
  const one = cases.find(({ status }) => status === 'with-town');
  if (!one) return;
  const { status } = await captureOutcome(() => town.closeCase(one.id));
  trace.push(`the town closes a case ${one.kind}: ${status}`);
}

/** A Duber who is busy with an order is of no use for the next one: they bring it to its end, or give it back. */
async function freeDubers(life: Life): Promise<void> {
  const { town, random, orders } = life;
  for (const tried of orders.slice(-30)) {
    for (let tries = 0; tries < 6 && !isOver(life); tries += 1) {
      const { deliveries, busy } = await readBoard(town.db, tried.id);
      if (!deliveries.some(({ duberId, status }) => duberId && busy.includes(duberId) && isActive(status))) break;
      await explore(life, tried, random() < 0.5);
    }
  }
}
const isActive = (status: string) => (ACTIVE_STATUSES as readonly string[]).includes(status) || status === 'Failed';

async function takeTurn(life: Life): Promise<void> {
  const { random, orders } = life;
  if (random() < 0.7) await freeDubers(life);
  const profitable = await chooseProfitable(life);
  const kind =
    orders.length === 0
      ? 'new'
      : chooseWeighted(random, {
          ...{ new: 5, trick: 1, old: 2.5, town: 0.2, wait: 0.6, Monday: 0.25 },
          ...(profitable ? { again: 18, tail: 4 } : { again: 0.3, tail: 1 }),
        });
  if (kind === 'new') await tryNewOrder(life);
  else if (kind === 'trick') await tryTrick(life);
  else if (kind === 'old') await tryOldOrder(life);
  else if (kind === 'tail') await repeatTail(life);
  else if (kind === 'town') await closeCase(life);
  else if (kind === 'again') await repeat(life, profitable ?? pick(random, orders));
  else await wait(life, kind === 'Monday' ? 'Monday' : DAY_MS);
}

/** After the weeks of a gang, everything that can still happen by itself happens, and the town pays once more. */
const AFTERWARDS_MS = 16 * DAY_MS;

async function beginLife(town: GangTown, group: Group, random: Random): Promise<Life> {
  await setPresetForAdmitted(town.db, group.preset, new Date(town.now()));
  await town.passMonday();
  return {
    ...{ town, group, random, orders: [], trace: [], counts: {}, isCautious: random() < 0.5, hasLead: false },
    ...{ endsAt: town.now() + group.weeks * 7 * DAY_MS - 2 * HOUR_MS, movesLeft: MOVES_PER_LIFE },
  };
}

async function endLife({ town, endsAt }: Life): Promise<void> {
  await town.pass(Math.max(0, endsAt - town.now()) + AFTERWARDS_MS);
  await town.passMonday();
  await town.forgetTimers();
}

export async function liveAsGang(town: GangTown, group: Group, random: Random): Promise<Life> {
  const life = await beginLife(town, group, random);
  while (!isOver(life)) await takeTurn(life);
  await endLife(life);
  return life;
}

/** A life in which the gang does nothing but one trick. */
export async function playTrick(town: GangTown, trick: Trick, random: Random): Promise<Life> {
  const { kind, preset, weeks, buds } = trick;
  const group = await createSmallGroup(town, { kind, preset, weeks, buds });
  const life = await beginLife(town, group, random);
  life.movesLeft += MORE_WITH_A_LEAD;
  for (const bud of group.members.filter(({ role }) => role === 'Bud')) {
    const moves = trick.moves.map((move) => (move.verb.role === 'Bud' ? { ...move, member: bud.name } : move));
    await placeAndDo(life, bud, { ...trick, moves });
  }
  await endLife(life);
  return life;
}
