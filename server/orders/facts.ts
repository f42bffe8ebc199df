import type { OrderExceptionAnswer } from '../../contract/exceptions.ts';
import type { Need, OrderFacts } from '../../domain/needs.ts';
import { type WayHome, type WayHomePayer, waysHomeFor } from '../../domain/orders.ts';
import { ORDER_ROWS, type OrderColumns, type OrderRow as OrderStepRow } from '../../domain/process/order.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import type { Late } from '../db/driver.ts';
import { refuseProperty } from '../http/refusals.ts';
import type { Asked, StepDone, StepTaken } from '../process/takeStep.ts';
import { readCancellationMoney } from './cancellation.ts';
import { readMove } from './moveFacts.sql.ts';
import {
  type Delivery,
  factsOf,
  isLookedFor,
  lockDeliveries,
  type NextScrub,
  readDeliveries,
  readIsStartCareful,
  readNextScrub,
} from './orderFacts.sql.ts';
import type { OrderTaker } from './orders.sql.ts';
import { isCreditOwed } from './promise.ts';
import type { Proposal } from './proposals.sql.ts';
import { readWeighingState } from './weighings.sql.ts';

/** The request for a row of ORDER_ROWS. */
export type OrderStepRequest = {
  readonly id: string;
  readonly action: OrderStepRow['action'];
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
  /** For `choose-scrub`. */
  readonly scrubId?: string | undefined;
  /** For `move-window` and `propose-window`: the starts of the new windows, as ISO times. */
  readonly pickupFrom?: string | undefined;
  readonly returnFrom?: string | undefined;
  /** For `propose-window` with days off or a closure: ends the open proposal. */
  readonly replaces?: true | undefined;
  /** For `accept-window` and `refuse-window`: the proposal that the Bud has read. */
  readonly proposalId?: string | undefined;
  /** For `cancel-accepted`: the fee that the Bud was shown, in dollars. */
  readonly fee?: number | undefined;
  /** For `reopen`, and for laundry that is brought home: who pays the Dubers. */
  readonly waysPaidBy?: WayHomePayer | undefined;
  /** For `cancel-by-operator`. */
  readonly wayHome?: WayHome | undefined;
  readonly requestKey?: Buffer | null | undefined;
};

/** An order before a step. */
export type OrderRecord = OrderRow & {
  /** Its deliveries, if a row looks at them. */
  readonly deliveries: readonly Delivery[];
  readonly nextScrub: NextScrub | undefined;
  readonly proposal: Proposal | undefined;
  readonly needed: OrderFacts;
};

export type OrderKind = {
  readonly actor: OrderTaker;
  readonly row: OrderStepRow;
  readonly request: OrderStepRequest;
  readonly locked: Late<OrderRow | undefined>;
  readonly facts: OrderRecord;
  readonly needed: OrderFacts;
  /** With the round that the order has since. */
  readonly answer: OrderExceptionAnswer;
};
export type OrderStepTaken = StepTaken<OrderKind>;
export type OrderStepDone = StepDone<OrderKind>;

/** The columns that a step sets. */
export const setsOf = ({ row, request, facts, at }: OrderStepTaken): Partial<OrderColumns> =>
  row.sets?.({ at, waysPaidBy: request.waysPaidBy, wayHome: facts.needed.wayHome }) ?? {};

/** The order as it is after the step. */
export const orderAfter = (taken: OrderStepDone): OrderRow => ({
  ...taken.facts,
  ...setsOf(taken),
  ...{ status: taken.answer.status, round: taken.answer.round },
});

/** Reads only the facts of the rows that the actor could take from the present status. */
export async function readFacts(tx: Tx, { actor, request, locked }: Asked<OrderKind>, at: Date) {
  const order = await locked();
  if (!order) return undefined;
  const present = (ORDER_ROWS as readonly OrderStepRow[]).filter(
    ({ action, by, from }) => action === request.action && by === actor.role && from === order.status,
  );
  const needs = new Set<Need>(present.flatMap((row) => row.needs ?? []));
  const looksAt = (...some: readonly Need[]) => some.some((need) => needs.has(need));
  const isStartCareful = looksAt('laundry-seen', 'laundry-in-hand') && (await readIsStartCareful(tx, at));
  const looksAtDeliveries = looksAt('laundry-here', 'deliveries-ended') || (isStartCareful && looksAt('laundry-seen'));
  // Exceptions of people and operators may end the deliveries, so no Duber takes a step meanwhile.
  const endsDeliveries = present.some((row) => !row.planned && row.by !== 'System');
  const readNoDeliveries = () => Promise.resolve([]);
  const deliveries = await (endsDeliveries ? lockDeliveries : looksAtDeliveries ? readDeliveries : readNoDeliveries)(
    tx,
    order.id,
  );
  const isWeighed = order.ceilingSize !== null && looksAt('weighed', 'correction-answered');
  const nextScrub = looksAt('scrub-known') ? await findNextScrub(tx, order, request, at) : undefined;
  const planned = looksAt('window-offered', 'proposed') ? await readMove(tx, order, request, at) : undefined;
  const known = factsOf(order, deliveries);
  const wayHome = known.isLaundryAway ? request.wayHome : undefined;
  const needed: OrderFacts = {
    ...known,
    ...(isWeighed ? await readWeighingState(tx, order.id) : {}),
    ...{ isStartCareful, wayHome },
    lacksWayHome: looksAt('way-home') && findWayHomeProblem(known, request) !== undefined,
    isLookedFor: wayHome === 'lost' && (await isLookedFor(tx, order.id)),
    costsMore: looksAt('fee-as-shown') && (await costsMore(tx, order, deliveries, request.fee)),
    isNextScrubFree: nextScrub?.isFree,
    isCreditOwed: looksAt('credit-owed') ? await isCreditOwed(tx, order.id) : undefined,
    ...(planned && {
      isProposed: planned.proposal !== undefined && !request.replaces,
      isProposedByTown: planned.proposal?.by === 'Operator',
      move: planned.move,
    }),
  };
  return { facts: { ...order, deliveries, nextScrub, proposal: planned?.proposal, needed }, needed, at };
}

async function costsMore(
  tx: Tx,
  order: OrderRow,
  deliveries: readonly Delivery[],
  shown: number | undefined,
): Promise<boolean> {
  return shown !== undefined && Math.round(shown * 100) < (await readCancellationMoney(tx, order, deliveries)).fee;
}

/** The Scrub whom the Bud chooses; an order that has a Scrub has no next one. */
async function findNextScrub(
  tx: Tx,
  order: OrderRow,
  { scrubId }: OrderStepRequest,
  at: Date,
): Promise<NextScrub | undefined> {
  if (order.givenBackAt === null) return undefined;
  if (scrubId === undefined) return refuseProperty('scrubId', 'isRequired', 'scrubId is required');
  return readNextScrub(tx, order, scrubId, at);
}

/** The property of the request that is missing or wrong before the order can end: the way home of its laundry, or its payer. */
export function findWayHomeProblem(
  facts: OrderFacts,
  { wayHome, waysPaidBy }: OrderStepRequest,
): Parameters<typeof refuseProperty> | undefined {
  const possible = waysHomeFor(facts);
  if (possible.length === 0) return undefined;
  const choices = possible.join(', ');
  if (wayHome === undefined)
    return ['wayHome', 'isRequired', `Say how the laundry gets home: wayHome must be one of ${choices}`];
  if (!possible.includes(wayHome))
    return ['wayHome', 'isPossible', `The Scrub does not have the laundry: wayHome must be one of ${choices}`];
  if (wayHome === 'bring' && waysPaidBy === undefined)
    return ['waysPaidBy', 'isRequired', 'Say who pays the Duber who brings the laundry home'];
  return undefined;
}
