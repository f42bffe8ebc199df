import type { Tx } from '../db/database.ts';
import { markHandedOver } from './exceptionEffects.sql.ts';
import { startClosing, startReminder, startReminderOrClosing } from './orderTimers.sql.ts';

/** The Bud has handed the laundry to the Scrub without a Duber. Call it in the transaction that writes the hand-over. */
export async function onLaundryHandedOver(tx: Tx, orderId: string, at: Date): Promise<void> {
  await markHandedOver(tx, orderId, at);
  await startReminder(tx, orderId, at);
}

/** A Duber has delivered the laundry: to the Scrub, who starts, or back to the Bud. */
export const onLaundryDelivered = startReminderOrClosing;

/** A delivery was called off. Lock the order before. */
export const onDeliveryCalledOff = startClosing;
