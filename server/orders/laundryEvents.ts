import type { Tx } from '../db/database.ts';
import { startAfterDelivery, startAtEnd, startAtScrub } from './orderTimers.sql.ts';

// What happens to the laundry of an order without a step of the order. The timers start again whose rows look at the laundry.

/** The Bud has handed the laundry to the Scrub without a Duber. Call it in the transaction that writes the hand-over. */
export async function onLaundryHandedOver(tx: Tx, orderId: string, at: Date): Promise<void> {
  await tx.updateTable('orders').set({ handed_over_at: at }).where('id', '=', orderId).execute();
  await startAtScrub.all(tx, orderId, at);
}

/** A Duber has delivered the laundry. Lock the order's payment before, as its completion does. */
export async function onLaundryDelivered(tx: Tx, orderId: string, at: Date): Promise<void> {
  await startAfterDelivery.all(tx, orderId, at);
}

/** A delivery was called off. Lock the order before. */
export async function onDeliveryCalledOff(tx: Tx, orderId: string, at: Date): Promise<void> {
  await startAtEnd.all(tx, orderId, at);
}
