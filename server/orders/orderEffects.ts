import type { OrderStep } from '../../contract/orders.ts';
import type { WayHomePayer } from '../../domain/orders.ts';
import type { OrderRow as OrderStepRow } from '../../domain/process/order.ts';
import { openCase } from '../cases/openCase.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { callOffDeliveries } from '../deliveries/steps.ts';
import { publishOrderGone, publishOrderUpdate } from '../events/publish.ts';
import { applyHandoverEffects } from '../handovers/handoverEffects.ts';
import { recordHandover } from '../handovers/recordHandover.ts';
import { deleteNotices } from '../notifications/queueNotifications.sql.ts';
import { scheduleCapture } from '../payments/payments.sql.ts';
import { recordCompletion } from '../payments/payments.ts';
import { releaseOrder, settleOrder } from '../payments/pays.ts';
import { openLeg, openWayHome } from './legs.ts';
import { isOutboundCalledOff, type NextScrub } from './orderFacts.sql.ts';
import { countCancellation, uncountPlacement } from './orderLimits.ts';
import { keepTimers } from './orderTimers.sql.ts';
import { deleteOpenCorrection } from './weighings.sql.ts';

/** A step that was just written. */
export type OrderStepTaken = {
  readonly row: OrderStepRow;
  /** The order as it was before. */
  readonly order: OrderRow;
  /** The order as it is from now on. */
  readonly after: OrderRow;
  readonly step: OrderStep;
  readonly reason: string | undefined;
  readonly words: string | undefined;
  readonly waysPaidBy: WayHomePayer | undefined;
  readonly nextScrub: NextScrub | undefined;
  readonly at: Date;
};

/** What a step of an order causes besides the change, as its row says. In the transaction of the step. */
export async function applyOrderEffects(
  context: Pick<Context, 'now' | 'newId'>,
  tx: Tx,
  taken: OrderStepTaken,
): Promise<void> {
  const { row, order, at } = taken;
  // Whoever reads the events learns of an exception of people when all that it causes has happened.
  const isToldFirst = row.planned === true || row.by === 'System';
  if (isToldFirst) await announce(tx, taken);
  // Before money is locked.
  await openCaseOf(tx, taken);
  if (row.callsOff) await callOffDeliveries(tx, order.id, { reason: 'order-ended', cause: row.callsOff }, at);
  if (row.forgetsWeight) await deleteOpenCorrection(tx, order.id);
  if (row.changesScrub) await changeScrub(tx, taken);
  if (row.charges === 'hold') await scheduleCapture(tx, order.id, at);
  await count(tx, taken);
  if (row.earns) await recordCompletion(tx, order, at);
  await handOver(tx, taken);
  await openDeliveryOf(context, tx, taken);
  if (row.refunds) await (row.refunds === 'ended' ? releaseOrder : settleOrder)(tx, order.id, at);
  if (row.forgets) await deleteNotices(tx, order.id, row.forgets);
  if (!isToldFirst) await announce(tx, taken);
  await keepTimers(tx, order.id, at);
}

/** The screens of the people of the order are told, and those whom the row names get a notice. */
async function announce(tx: Tx, { row, order, step }: OrderStepTaken): Promise<void> {
  await publishOrderUpdate(tx, step, row);
  if (row.leaves) await publishOrderGone(tx, step, order.scrubId);
}

async function openCaseOf(tx: Tx, { row, order, reason, words, at }: OrderStepTaken): Promise<void> {
  if (!row.opens) return;
  const about = row.opens.about ? { aboutUser: { userId: order.scrubId, role: row.opens.about } } : {};
  await openCase(tx, { kind: row.opens.case, orderId: order.id, reason, words, ...about }, at);
}

/** A Bud whose Scrub gave the order back has not changed their mind: only the first round counts. */
async function count(tx: Tx, { row, order, at }: OrderStepTaken): Promise<void> {
  if (order.round > 1) return;
  if (row.counts === 'acceptance') await uncountPlacement(tx, order.budId);
  if (row.counts === 'cancellation') await countCancellation(tx, order.budId, at);
}

/** The order and its deliveries, which were called off, are another Scrub's from now on. */
async function changeScrub(tx: Tx, { order: { id }, nextScrub }: OrderStepTaken): Promise<void> {
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
 * What a step of the Scrub says when no Duber comes: with the start that the Bud has brought the laundry, with the completion
 * that the Bud has it back. A Bud brings it who has said so, or whose Duber was called off.
 */
async function handOver(tx: Tx, { row, order, at }: OrderStepTaken): Promise<void> {
  const { id: orderId, budId, scrubId } = order;
  if (row.handsOver === 'Bud' && order.selfPickup)
    await recordHandover(tx, { orderId, from: 'Scrub', taker: { role: 'Bud', id: budId } }, at);
  if (row.handsOver !== 'Scrub' || !(order.selfDelivery || (await isOutboundCalledOff(tx, order)))) return;
  const handover = await recordHandover(tx, { orderId, from: 'Bud', taker: { role: 'Scrub', id: scrubId } }, at);
  const facts = { orderId, deliveryId: null, scrubId, taker: 'Scrub', bags: null } as const;
  if (handover) await applyHandoverEffects(tx, handover, facts, at);
}

async function openDeliveryOf(context: Pick<Context, 'now' | 'newId'>, tx: Tx, taken: OrderStepTaken): Promise<void> {
  const { row, after, waysPaidBy = 'platform' } = taken;
  if (!row.opensDelivery) return;
  const { type, isWayHome } = row.opensDelivery;
  if (isWayHome) return openWayHome(context, tx, after, waysPaidBy);
  const isDrivenByBud = type === 'Bud_To_Scrub' ? after.selfDelivery : after.selfPickup;
  if (!isDrivenByBud) await openLeg(context, tx, after, type);
}
