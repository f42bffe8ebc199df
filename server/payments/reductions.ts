import { v7 as newId } from 'uuid';
import type { Tx } from '../db/database.ts';
import { insertRefund, NO_LIABLE_PARTY } from './refunds.sql.ts';
import { findReductionLeft } from './weighedPayments.sql.ts';

/**
 * What was charged beyond what the order costs goes back, as far as other refunds have left it there. Nobody had earned it.
 * Does nothing before the card is charged, and when it went back already. Lock the payment before.
 */
export async function refundReduction(tx: Tx, orderId: string, at: Date): Promise<void> {
  const left = await findReductionLeft(tx, orderId);
  if (left.amount + left.discount === 0) return;
  await insertRefund(tx, { id: newId(), orderId, ...left, ...NO_LIABLE_PARTY, reason: 'the laundry weighed less' }, at);
}
