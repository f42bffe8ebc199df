import type { OrderStep } from '../../contract/orders.ts';
import type { OrderExceptionAction, OrderTownAction, TripPayer } from '../../domain/orders.ts';
import { approximatePoint, distanceInMeters, NEARBY_RADIUS_M } from '../../domain/places.ts';
import type { Actor } from '../../domain/workflow.ts';
import type { Context } from '../context.ts';
import type { AddressSnapshot, OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { callOffLegs } from '../deliveries/callOffLegs.ts';
import { publishOrderGone, publishOrderStep, publishOrderUpdate } from '../events/publish.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { deleteNotices, queueOrderNotifications } from '../notifications/queueNotifications.sql.ts';
import { releaseOrder } from '../payments/pays.ts';
import { readCancellationMoney } from './cancellation.ts';
import { changeScrub, findNextScrub, hasHadOrder, markGivenBack, markReopened } from './exceptionEffects.sql.ts';
import { openLeg } from './legs.ts';
import type { Leg } from './orderFacts.sql.ts';
import { startCharging } from './orderTimers.sql.ts';
import { deleteOpenCorrection } from './weighings.sql.ts';

/** What somebody asks for: a row of ORDER_EXCEPTIONS of people or of operators. */
export type OrderExceptionRequest = {
  readonly id: string;
  readonly action: OrderExceptionAction | OrderTownAction;
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
  /** For `choose-scrub`. */
  readonly scrubId?: string | undefined;
  /** For `cancel-accepted`: the fee that the Bud was shown, in dollars. */
  readonly fee?: number | undefined;
  /** For `reopen`: who pays the Dubers. */
  readonly waysPaidBy?: TripPayer | undefined;
  readonly requestKey?: Buffer | null;
};

/** A step that was just written: the order and its deliveries as they were before, and its round from now on. */
export type OrderExceptionStep = {
  readonly order: OrderRow;
  readonly legs: readonly Leg[];
  readonly step: OrderStep;
  readonly round: number;
  readonly request: OrderExceptionRequest;
  readonly by: Actor;
};

type EffectContext = Pick<Context, 'now' | 'newId'>;
type Effect = (context: EffectContext, tx: Tx, taken: OrderExceptionStep) => Promise<void>;

/** What each row of people and operators causes besides the step, in its transaction. */
export const EXCEPTION_EFFECTS: Record<OrderExceptionAction | OrderTownAction, Effect> = {
  'cancel-accepted': async ({ now }, tx, { order, legs, step, request }) => {
    const { fee } = await readCancellationMoney(tx, order, legs);
    if (request.fee !== undefined && Math.round(request.fee * 100) < fee) refuse('costsMore');
    await endOrder(tx, order, { reason: 'order-ended', cause: 'bud' }, now());
    await publishOrderStep(tx, step, 'cancelled');
  },
  'cancel-by-operator': async ({ now }, tx, { order, step }) => {
    await endOrder(tx, order, { reason: 'order-ended', cause: 'platform' }, now());
    await publishOrderStep(tx, step, 'cancelled');
  },
  'give-back': async ({ now }, tx, { order, step, by }) => {
    const at = now();
    await markGivenBack(tx, order.id, at);
    // Otherwise people who work together would give back what a friend is paid for by the platform.
    const cause = by === 'Scrub' ? 'scrub' : 'platform';
    await callOffLegs(tx, order.id, { reason: 'order-ended', cause }, at);
    // The next Scrub weighs the laundry, and until then its card is charged as if nobody had.
    if (order.ceilingSize !== null && (await deleteOpenCorrection(tx, order.id))) await startCharging(tx, order.id, at);
    await deleteNotices(tx, order.id, ['accepted', 'given-back', 'weighed']);
    await publishOrderStep(tx, step, 'given-back', ['Bud']);
    await publishOrderGone(tx, step, order.scrubId);
  },
  'choose-scrub': chooseScrub,
  reopen: async (context, tx, { order, step, round, request }) => {
    const waysPaidBy = request.waysPaidBy ?? 'platform';
    await markReopened(tx, order.id, waysPaidBy);
    await deleteNotices(tx, order.id, ['reopened', 'late', 'reminder']);
    if (!order.selfDelivery) await openLeg(context, tx, { ...order, round, waysPaidBy }, 'Bud_To_Scrub');
    await publishOrderStep(tx, step, 'reopened');
  },
};

async function endOrder(tx: Tx, { id }: OrderRow, why: Parameters<typeof callOffLegs>[2], at: Date): Promise<void> {
  await callOffLegs(tx, id, why, at);
  await releaseOrder(tx, id, at);
}

/** Offers an order that was given back to another Scrub, at the same price. */
async function chooseScrub(
  { now }: EffectContext,
  tx: Tx,
  { order, step, request }: OrderExceptionStep,
): Promise<void> {
  const { scrubId } = request;
  if (scrubId === undefined) return refuseProperty('scrubId', 'isRequired', 'scrubId is required');
  const { isCareful, active, place } = orNotFound(await findNextScrub(tx, scrubId, now()));
  const isNear = distanceInMeters(order.budAddress, isCareful ? approximatePoint(place) : place) <= NEARBY_RADIUS_M;
  if (!active || !isNear || (await hasHadOrder(tx, order.id, scrubId))) refuse('scrubUnavailable');
  await changeScrub(tx, order.id, next(order, scrubId, place));
  await publishOrderUpdate(tx, step);
  await publishOrderGone(tx, step, order.scrubId);
  await queueOrderNotifications(tx, { kind: 'placed', about: order.id }, now(), ['Scrub']);
}

const next = ({ budAddress }: OrderRow, scrubId: string, place: AddressSnapshot) => ({
  scrubId,
  scrubAddress: place,
  distanceInMeters: Math.round(distanceInMeters(budAddress, place)),
});
