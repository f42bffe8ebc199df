import { acceptBooking, giveBackBooking, leaveScrubsDay } from '../bookings/bookings.ts';
import { openCaseOfStep } from '../cases/caseOfStep.ts';
import type { Tx } from '../db/database.ts';
import { callOffDeliveries } from '../deliveries/steps.ts';
import { publishOrderGone, publishOrderUpdate } from '../events/publish.ts';
import { applyHandoverEffects } from '../handovers/handoverEffects.ts';
import { recordHandover } from '../handovers/recordHandover.ts';
import { deleteNotices } from '../notifications/queueNotifications.sql.ts';
import { releaseOrder, settleOrder } from '../payments/earnings/earnings.ts';
import { recordCompletion } from '../payments/earnings/payments.ts';
import { countCancellation, uncountPlacement } from '../payments/hold/orderLimits.ts';
import { scheduleCapture } from '../payments/hold/payments.sql.ts';
import { keepTimers } from '../process/orderTimers.sql.ts';
import { openOrderDelivery, openWayHome } from './deliveries.ts';
import { type OrderStepDone, orderAfter } from './facts.ts';
import { isOutboundCalledOff } from './orderFacts.sql.ts';
import { forgetPromise, oweCredit, settlePromise } from './promise.ts';
import { deleteOpenCorrection } from './weighings.sql.ts';
import { bookNextScrub, endProposalOf, moveWindows, propose } from './windowMoves.ts';

/** Applies the effects of a step, in the order of OrderCauses. */
export async function applyOrderEffects(tx: Tx, done: OrderStepDone): Promise<undefined> {
  const { row, facts: order, at } = done;
  // An exception of people is published last, after all its effects.
  if (row.forgets) await deleteNotices(tx, order.id, row.forgets);
  const isToldFirst = row.planned === true || row.by === 'System';
  if (isToldFirst) await announce(tx, done);
  // Before money is locked.
  await openCaseOfStep(tx, done, { orderId: order.id, people: { Scrub: order.scrubId } });
  if (row.callsOff) await callOffDeliveries(tx, order.id, { reason: 'order-ended', cause: row.callsOff }, at);
  if (row.forgetsWeight) await deleteOpenCorrection(tx, order.id);
  if (row.changesScrub) await changeScrub(tx, done);
  await keepBooking(tx, done);
  if (row.charges === 'hold') await scheduleCapture(tx, order.id, at);
  await count(tx, done);
  if (row.earns) await recordCompletion(tx, order, at);
  await handOver(tx, done);
  await openDeliveryOf(tx, done);
  if (row.refunds === 'ended') await giveBackBooking(tx, order.id);
  if (row.refunds === 'ended' && mayOwe(done)) await forgetPromise(tx, order.id, at);
  if (row.refunds) await (row.refunds === 'ended' ? releaseOrder : settleOrder)(tx, order.id, at);
  if (row.movesWindows) await moveWindows(tx, done);
  if (row.proposes) await propose(tx, done);
  if (row.owes) await oweCredit(tx, order, at);
  if (row.settlesPromise) await settlePromise(tx, order.id, at);
  await endProposalOf(tx, done);
  if (!isToldFirst) await announce(tx, done);
  await keepTimers(tx, order.id, at);
}

/** An order that is cleaned again has no promised time any more, and its credit may still be owed. */
const mayOwe = ({ facts: { promisedAt, round }, at }: OrderStepDone) =>
  promisedAt === null ? round > 1 : promisedAt <= at;

/** What the order has reserved. Of an order that ends before its card is charged, the end of its payment gives that back. */
async function keepBooking(tx: Tx, { row, facts: order, at }: OrderStepDone): Promise<void> {
  if (row.action === 'accept-order') await acceptBooking(tx, order.id);
  else if (row.action === 'give-back') await leaveScrubsDay(tx, order.id);
  else if (row.changesScrub && order.nextScrub) await bookNextScrub(tx, order, order.nextScrub.scrubId, at);
}

/** Updates the screens of the people of the order, and sends the notice of the row. */
async function announce(tx: Tx, { row, facts, answer }: OrderStepDone): Promise<void> {
  await publishOrderUpdate(tx, answer, row);
  if (row.leaves) await publishOrderGone(tx, answer, facts.scrubId);
}

/** A Bud whose Scrub gave the order back has not changed their mind: only the first round counts. */
async function count(tx: Tx, { row, facts: order, at }: OrderStepDone): Promise<void> {
  if (order.round > 1) return;
  if (row.counts === 'acceptance') await uncountPlacement(tx, order.budId);
  if (row.counts === 'cancellation') await countCancellation(tx, order.budId, at);
}

/** The order and its deliveries, which were called off, are another Scrub's from now on. */
async function changeScrub(tx: Tx, { facts: { id, nextScrub } }: OrderStepDone): Promise<void> {
  if (!nextScrub) throw new Error(`order ${id} has no next Scrub`);
  const { scrubId, scrubAddress, distanceInMeters } = nextScrub;
  await tx
    .updateTable('orders')
    .set({
      scrub_id: scrubId,
      scrub_address: JSON.stringify(scrubAddress),
      distance_m: distanceInMeters,
      given_back_at: null,
    })
    .where('id', '=', id)
    .execute();
  await tx.updateTable('deliveries').set({ scrub_id: scrubId }).where('order_id', '=', id).execute();
}

/**
 * Records the hand-overs without a Duber: the start of the Scrub means that the Bud has brought the laundry, the completion that the
 * Bud has it back. A Bud brings the laundry if they said so at placement, or if their Duber was called off.
 */
async function handOver(tx: Tx, { row, facts: order, at }: OrderStepDone): Promise<void> {
  const { id: orderId, budId, scrubId } = order;
  if (row.handsOver === 'Bud' && order.selfPickup)
    await recordHandover(tx, { orderId, from: 'Scrub', recipient: { role: 'Bud', id: budId } }, at);
  if (row.handsOver !== 'Scrub' || !(order.selfDelivery || (await isOutboundCalledOff(tx, order)))) return;
  const record = await recordHandover(tx, { orderId, from: 'Bud', recipient: { role: 'Scrub', id: scrubId } }, at);
  const handover = await record();
  const facts = { orderId, deliveryId: null, scrubId, recipient: 'Scrub', bags: null } as const;
  if (handover) await applyHandoverEffects(tx, handover, facts, at);
}

async function openDeliveryOf(tx: Tx, done: OrderStepDone): Promise<void> {
  const { row, request, at } = done;
  if (!row.opensDelivery) return;
  const { type, isWayHome } = row.opensDelivery;
  const after = orderAfter(done);
  if (isWayHome) return openWayHome(tx, after, request.waysPaidBy ?? 'platform', at);
  const isDrivenByBud = type === 'Bud_To_Scrub' ? after.selfDelivery : after.selfPickup;
  if (!isDrivenByBud) await openOrderDelivery(tx, after, type, at);
}
