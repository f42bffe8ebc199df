import { v7 as newId } from 'uuid';
import type { Cents } from '../../../domain/payments.ts';
import type { Tx } from '../../db/database.ts';
import { findReductionLeft } from '../hold/weighedPayments.sql.ts';
import { findRefundable, insertRefund, leftOf, NO_LIABLE_PARTY } from './refunds.sql.ts';

type Unearned = {
  readonly orderId: string;
  /** What the card has paid of it. */
  readonly amount: Cents;
  /** What the platform has paid of it for a promo code. */
  readonly discount: Cents;
  readonly reason: string;
};

/**
 * Gives back what nobody has earned. The part that a bank has taken from the card is a refund of its own, which needs a person: so
 * the rest goes back at once. Lock the payment before.
 */
export async function refundUnearned(tx: Tx, { orderId, amount, discount, reason }: Unearned, at: Date): Promise<void> {
  const order = await findRefundable(tx, orderId);
  const atCard = order ? Math.min(amount, leftOf(order)) : amount;
  const parts = [
    { amount: atCard, discount },
    { amount: amount - atCard, discount: 0 },
  ];
  for (const part of parts.filter((one) => one.amount + one.discount > 0))
    await insertRefund(tx, { id: newId(), orderId, ...part, ...NO_LIABLE_PARTY, reason }, at);
}

/**
 * Refunds the difference between the charge and the order's price, up to the amount not yet refunded. Nobody had earned it.
 * Does nothing before the card is charged, and when it went back already. Lock the payment before.
 */
export async function refundReduction(tx: Tx, orderId: string, at: Date): Promise<void> {
  const left = await findReductionLeft(tx, orderId);
  if (left.amount + left.discount === 0) return;
  await refundUnearned(tx, { orderId, ...left, reason: 'the laundry weighed less' }, at);
}
