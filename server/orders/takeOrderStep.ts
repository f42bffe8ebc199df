import type { OrderStep } from '../../contract/orders.ts';
import { type Need, ORDER_NEEDS, type OrderFacts } from '../../domain/needs.ts';
import { type WayHome, type WayHomePayer, waysHomeFor } from '../../domain/orders.ts';
import { ORDER_ROWS, type OrderRow as OrderStepRow } from '../../domain/process/order.ts';
import { chooseRow } from '../../domain/workflow.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { readCancellationMoney } from './cancellation.ts';
import { applyOrderEffects } from './orderEffects.ts';
import {
  factsOf,
  isLookedFor,
  type Leg,
  lockLegs,
  type NextScrub,
  readHolder,
  readIsStartCareful,
  readLegs,
  readNextScrub,
  whereMoved,
} from './orderFacts.sql.ts';
import { moveOrder } from './orderSteps.sql.ts';
import type { OrderTaker } from './orders.sql.ts';
import { refuseChoice } from './refuseChoice.ts';
import { readWeighingState } from './weighings.sql.ts';

/** What somebody asks for: a row of ORDER_ROWS. */
export type OrderRequest = {
  readonly id: string;
  readonly action: OrderStepRow['action'];
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
  /** For `choose-scrub`. */
  readonly scrubId?: string | undefined;
  /** For `cancel-accepted`: the fee that the Bud was shown, in dollars. */
  readonly fee?: number | undefined;
  /** For `reopen`, and for laundry that is brought home: who pays the Dubers. */
  readonly waysPaidBy?: WayHomePayer | undefined;
  /** For `cancel-by-operator`. */
  readonly wayHome?: WayHome | undefined;
  readonly requestKey?: Buffer | null | undefined;
};

/** `round` is that of the order from now on. `refuse` says why no row can be taken. */
export type OrderStepResult =
  | { readonly ok: true; readonly row: OrderStepRow; readonly step: OrderStep; readonly round: number }
  | { readonly ok: false; readonly refuse: () => never };

type Asked = { readonly by: OrderTaker; readonly order: OrderRow; readonly request: OrderRequest };

/**
 * Takes a row of ORDER_ROWS: finds the row whose needs are met, and writes the step and all that it causes. Lock the order before,
 * in the same transaction.
 */
export async function takeOrderStep(
  context: Pick<Context, 'now' | 'newId'>,
  tx: Tx,
  { by, order, request }: Asked,
): Promise<OrderStepResult> {
  const at = context.now();
  const { action, reason, words, waysPaidBy } = request;
  const rows = (ORDER_ROWS as readonly OrderStepRow[]).filter((row) => row.action === action && row.by === by.role);
  const { facts, legs, nextScrub } = await readFacts(tx, rows, { by, order, request }, at);
  const choice = chooseRow(rows, { action, status: order.status, by: by.role }, ORDER_NEEDS, facts);
  if (!choice.ok) {
    const hasLeft = order.givenBackAt !== null && by.role === 'Scrub' && rows.some(({ planned }) => planned);
    const message = 'You have given this order back';
    const moved = whereMoved(facts, legs, by.role);
    return {
      ok: false,
      refuse: () => (hasLeft ? refuse('wrongStatus', { message }) : refuseChoice(choice, order.status, moved)),
    };
  }
  const { row } = choice;
  if (row.needs?.includes('way-home')) checkWayHome(facts, request);
  const sets = row.sets?.({ at, waysPaidBy, wayHome: facts.wayHome }) ?? {};
  const { from, to, startsOver, makesPins } = row;
  const parts = { sets, ...(startsOver ? { startsOver } : {}), ...(makesPins ? { makesPins } : {}) };
  const step = orNotFound(await moveOrder(tx, by, { id: order.id, action, from, to, reason, words, ...parts }, at));
  const after = { ...order, ...sets, status: to, round: order.round + (startsOver ? 1 : 0) };
  await applyOrderEffects(context, tx, { row, order, after, step, reason, words, waysPaidBy, nextScrub, at });
  return { ok: true, row, step, round: after.round };
}

type Read = { readonly facts: OrderFacts; readonly legs: readonly Leg[]; readonly nextScrub?: NextScrub | undefined };

/** Reads what the rows look at that lead on from the present status, and nothing else. */
async function readFacts(
  tx: Tx,
  rows: readonly OrderStepRow[],
  { by, order, request }: Asked,
  at: Date,
): Promise<Read> {
  const present = rows.filter(({ from }) => from === order.status);
  const needs = new Set<Need>(present.flatMap((row) => row.needs ?? []));
  const looksAt = (...some: readonly Need[]) => some.some((need) => needs.has(need));
  const isStartCareful = looksAt('laundry-seen', 'laundry-in-hand') && (await readIsStartCareful(tx, at));
  const looksAtHolder = by.role === 'Operator' || (isStartCareful && looksAt('laundry-in-hand'));
  const looksAtLegs = looksAt('laundry-here', 'deliveries-ended') || (isStartCareful && looksAt('laundry-seen'));
  // Exceptions of people and operators may end the deliveries, so no Duber takes a step meanwhile.
  const endsLegs = present.some((row) => !row.planned && row.by !== 'System');
  const readNoLegs = () => Promise.resolve([]);
  const legs = await (endsLegs ? lockLegs : looksAtLegs ? readLegs : readNoLegs)(tx, order.id);
  const holder = looksAtHolder ? await readHolder(tx, order.id) : undefined;
  const isWeighed = order.ceilingSize !== null && looksAt('weighed', 'correction-answered');
  const nextScrub = looksAt('scrub-known') ? await findNextScrub(tx, { by, order, request }, at) : undefined;
  const { wayHome } = request;
  const isAway = factsOf(order, legs, holder).isLaundryAway;
  const facts = factsOf(order, legs, holder, {
    isStartCareful,
    ...(isWeighed ? await readWeighingState(tx, order.id) : {}),
    ...(isAway && wayHome ? { wayHome, isLookedFor: wayHome === 'lost' && (await isLookedFor(tx, order.id)) } : {}),
    costsMore: looksAt('fee-as-shown') && (await costsMore(tx, order, legs, request.fee)),
    isNextScrubFree: nextScrub?.isFree,
  });
  return { facts, legs, nextScrub };
}

async function costsMore(tx: Tx, order: OrderRow, legs: readonly Leg[], shown: number | undefined): Promise<boolean> {
  return shown !== undefined && Math.round(shown * 100) < (await readCancellationMoney(tx, order, legs)).fee;
}

/** The Scrub whom the Bud chooses; an order that has a Scrub has no next one. */
async function findNextScrub(tx: Tx, { order, request: { scrubId } }: Asked, at: Date): Promise<NextScrub | undefined> {
  if (order.givenBackAt === null) return undefined;
  if (scrubId === undefined) return refuseProperty('scrubId', 'isRequired', 'scrubId is required');
  return readNextScrub(tx, order, scrubId, at);
}

/** No order ends while somebody else than its Bud has the laundry, without a way home. */
function checkWayHome(facts: OrderFacts, { wayHome, waysPaidBy }: OrderRequest): void {
  const possible = waysHomeFor(facts);
  if (possible.length === 0) return;
  const choices = possible.join(', ');
  if (wayHome === undefined)
    refuseProperty('wayHome', 'isRequired', `Say how the laundry gets home: wayHome must be one of ${choices}`);
  if (!possible.includes(wayHome))
    refuseProperty('wayHome', 'isPossible', `The Scrub does not have the laundry: wayHome must be one of ${choices}`);
  if (wayHome === 'bring' && waysPaidBy === undefined)
    refuseProperty('waysPaidBy', 'isRequired', 'Say who pays the Duber who brings the laundry home');
}
