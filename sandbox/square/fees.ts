import type { SquareContext } from './createPayment.ts';
import type { SquareStore } from './store.ts';
import type { Payment } from './types.ts';

// Square's price for payments over its API: 2.9 % and 30 cents.
const RATE = 0.029;
const FIXED_CENTS = 30;

/** As with Square, the answer that captures a payment has no fee yet. Here it has one the next time it is read. */
export function assessFee(store: SquareStore, payment: Payment, { now }: SquareContext): Payment {
  if (payment.processing_fee) return payment;
  const at = now().toISOString();
  const { amount, currency } = payment.total_money;
  const fee = { amount: Math.round(amount * RATE) + FIXED_CENTS, currency };
  const assessed: Payment = {
    ...payment,
    updated_at: at,
    processing_fee: [{ effective_at: at, type: 'INITIAL', amount_money: fee }],
  };
  store.write({ at, what: `A fee of ${(fee.amount / 100).toFixed(2)}`, payment: assessed });
  return assessed;
}
