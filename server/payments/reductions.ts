import type { Tx } from '../db/database.ts';
import { refundUnearned } from './unearnedRefunds.ts';
import { findReductionLeft } from './weighedPayments.sql.ts';

/**
 * What was charged beyond what the order costs goes back, as far as other refunds have left it there. Nobody had earned it.
 * Does nothing before the card is charged, and when it went back already. Lock the payment before.
 */
export async function refundReduction(tx: Tx, orderId: string, at: Date): Promise<void> {
  const left = await findReductionLeft(tx, orderId);
  if (left.amount + left.discount === 0) return;
  await refundUnearned(tx, { orderId, ...left, reason: 'the laundry weighed less' }, at);
}
