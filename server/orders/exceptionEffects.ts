import type { OrderStep } from '../../contract/orders.ts';
import type { OrderExceptionAction, OrderTownAction, WayHome, WayHomePayer } from '../../domain/orders.ts';
import { approximatePoint, distanceInMeters, NEARBY_RADIUS_M } from '../../domain/places.ts';
import type { Actor } from '../../domain/workflow.ts';
import { openCase } from '../cases/openCase.ts';
import type { Context } from '../context.ts';
import type { AddressSnapshot, OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { callOffDeliveries } from '../deliveries/steps.ts';
import { publishOrderGone, publishOrderStep, publishOrderUpdate } from '../events/publish.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { deleteNotices, queueOrderNotifications } from '../notifications/queueNotifications.sql.ts';
import { releaseOrder } from '../payments/pays.ts';
import { readCancellationMoney } from './cancellation.ts';
import {
  changeScrub,
  findNextScrub,
  hasCaseOfLost,
  hasHadOrder,
  markGivenBack,
  markReopened,
  markWayHome,
} from './exceptionEffects.sql.ts';
import { openLeg, openWayHome } from './legs.ts';
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
  /** For `reopen`, and for laundry that is brought home: who pays the Dubers. */
  readonly waysPaidBy?: WayHomePayer | undefined;
  /** For `cancel-by-operator`. */
  readonly wayHome?: WayHome | undefined;
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
  /** How the laundry gets home; undefined while its Bud has it. */
  readonly wayHome: WayHome | undefined;
};

type EffectContext = Pick<Context, 'now' | 'newId'>;
type Effect = (context: EffectContext, tx: Tx, taken: OrderExceptionStep) => Promise<void>;

/** What each row of people and operators causes besides the step, in its transaction. */
export const EXCEPTION_EFFECTS: Record<OrderExceptionAction | OrderTownAction, Effect> = {
  'cancel-accepted': async ({ now }, tx, { order, legs, step, request }) => {
    const { fee } = await readCancellationMoney(tx, order, legs);
    if (request.fee !== undefined && Math.round(request.fee * 100) < fee) refuse('costsMore');
    await callOffDeliveries(tx, order.id, { reason: 'order-ended', cause: 'bud' }, now());
    await releaseOrder(tx, order.id, now());
    await publishOrderStep(tx, step, 'cancelled');
  },
  'cancel-by-operator': async (context, tx, taken) => {
    const at = context.now();
    const { order, step, request, wayHome } = taken;
    if (wayHome) await markWayHome(tx, order.id, wayHome);
    // Before money is locked.
    if (wayHome === 'lost') await openCaseOfLost(tx, taken, at);
    await callOffDeliveries(tx, order.id, { reason: 'order-ended', cause: 'platform' }, at);
    if (wayHome === 'bring') await openWayHome(context, tx, order, request.waysPaidBy ?? 'platform');
    await releaseOrder(tx, order.id, at);
    await publishOrderStep(tx, step, 'cancelled');
  },
  'give-back': async ({ now }, tx, { order, step, by }) => {
    const at = now();
    await markGivenBack(tx, order.id, at);
    // Otherwise people who work together would give back what a friend is paid for by the platform.
    const cause = by === 'Scrub' ? 'scrub' : 'platform';
    await callOffDeliveries(tx, order.id, { reason: 'order-ended', cause }, at);
    // The next Scrub weighs the laundry, and until then its card is charged as if nobody had.
    if (order.ceilingSize !== null && (await deleteOpenCorrection(tx, order.id))) await startCharging(tx, order.id, at);
    await deleteNotices(tx, order.id, ['accepted', 'given-back', 'weighed']);
    await publishOrderStep(tx, step, 'given-back', ['Bud']);
    await publishOrderGone(tx, step, order.scrubId);
  },
  'choose-scrub': chooseScrub,
  reopen: async (context, tx, { order, step, round, request }) => {
    const waysPaidBy = request.waysPaidBy === 'scrub' ? 'scrub' : 'platform';
    await markReopened(tx, order.id, waysPaidBy);
    await deleteNotices(tx, order.id, ['reopened', 'late', 'reminder']);
    if (!order.selfDelivery) await openLeg(context, tx, { ...order, round, waysPaidBy }, 'Bud_To_Scrub');
    await publishOrderStep(tx, step, 'reopened');
  },
};

/** The town looks for laundry that nobody has, unless it does already: a Duber may have reported it. */
async function openCaseOfLost(tx: Tx, { order, request }: OrderExceptionStep, at: Date): Promise<void> {
  const { id: orderId, scrubId: userId } = order;
  if (await hasCaseOfLost(tx, orderId)) return;
  const { reason, words } = request;
  await openCase(tx, { kind: 'lost', orderId, reason, words, aboutUser: { userId, role: 'Scrub' } }, at);
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
