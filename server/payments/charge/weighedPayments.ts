import type { Cents } from '../../../domain/payments.ts';
import { discountOn } from '../../../domain/promos.ts';
import type { Tx } from '../../db/database.ts';
import { wasAccepted } from '../../process/steps.sql.ts';
import {
  findWeighed,
  lowerDiscount,
  reducePayment,
  releaseWholeHold,
  scheduleWeighedCapture,
} from '../hold/weighedPayments.sql.ts';
import { lockPayment } from '../ledger/orderLedger.sql.ts';
import { lowerTaxesInRefunds } from '../refunds/refunds.sql.ts';
import { refundReduction } from '../refunds/unearnedRefunds.ts';

export { type HoldReplacement, replaceHold } from '../hold/replaceHold.ts';

// The card of an order that is weighed: `OrderDraft.holdAmount` is held when it is placed, and what it costs is charged once
// it is weighed. The caller has locked the order. See decision 092.

/** What a weighing may still change about an order's payment. */
export type WeighedPayment = {
  /** Whether the card is charged, or is being charged: the price can only fall, and the difference goes back. */
  readonly isCharged: boolean;
  /** What the order costs by now, with what a promo code takes off. */
  readonly price: Cents;
  /** What a promo code takes off. It never takes off more than this of another price. */
  readonly discount: Cents;
  /** What it may cost at most without another hold: what is held, or what was charged, and what is taken off. */
  readonly atMost: Cents;
  /** Whether the price may change. Once the work is earned it may not: claims give money back then. */
  readonly mayChange: boolean;
};

/** Locks the payment until the transaction ends. Undefined when the order is not weighed. */
export async function lockWeighedPayment(tx: Tx, orderId: string): Promise<WeighedPayment | undefined> {
  await lockPayment(tx, orderId);
  return readWeighedPayment(tx, orderId);
}

/** The same without the lock: `isCharged` and `mayChange` change only under the lock of the order. */
export async function readWeighedPayment(tx: Tx, orderId: string): Promise<WeighedPayment | undefined> {
  const payment = await findWeighed(tx, orderId);
  if (!payment) return undefined;
  const isCharged = payment.state !== 'held';
  const { price, discount } = payment;
  const atMost = isCharged || payment.held === null ? price : payment.held + discount;
  return { isCharged, price, discount, atMost, mayChange: !payment.isEarned };
}

/**
 * Fixes what an order costs, from 0 to `atMost`, and has the card charged. Lock the payment with `lockWeighedPayment` before, and
 * call it after writing the order's price columns, in the same transaction, also when the price stays. Charged already: the difference goes back. Throws when the amount is not possible.
 */
export async function captureFinalPrice(
  tx: Tx,
  { orderId, payment, amount }: { readonly orderId: string; readonly payment: WeighedPayment; readonly amount: Cents },
  now: Date,
): Promise<void> {
  const { isCharged, price, atMost, mayChange } = payment;
  const isPossible = Number.isInteger(amount) && amount >= 0 && amount <= atMost && (mayChange || amount === price);
  if (!isPossible)
    throw new Error(`order ${orderId} costs ${price} cents, at most ${atMost}: it cannot cost ${amount}`);
  const discount = discountOn(amount, { total: price, discount: payment.discount });
  if (discount !== payment.discount) await lowerDiscount(tx, orderId, discount);
  const charged = { amount: amount - discount, discount };
  if (!isCharged) await endHold(tx, { orderId, charged }, now);
  else if (amount < price) {
    const before = { amount: price - payment.discount, discount: payment.discount };
    await reduce(tx, { orderId, before, charged }, now);
  }
}

type Charge = { readonly amount: Cents; readonly discount: Cents };

async function endHold(tx: Tx, { orderId, charged }: { orderId: string; charged: Charge }, now: Date): Promise<void> {
  if (charged.amount === 0) await releaseWholeHold(tx, orderId, now);
  else await scheduleWeighedCapture(tx, orderId, charged, now);
}

/** While the card is being charged, the worker gives the difference back when it is: `refundReduction` does nothing yet. */
async function reduce(
  tx: Tx,
  { orderId, before, charged }: { orderId: string; before: Charge; charged: Charge },
  now: Date,
): Promise<void> {
  const less = { amount: before.amount - charged.amount, discount: before.discount - charged.discount };
  await reducePayment(tx, orderId, less, now);
  await lowerTaxesInRefunds(tx, orderId);
  await refundReduction(tx, orderId, now);
}

/**
 * Charges the estimate of an order that nobody has weighed. False when nothing is held any more, it is being charged, or no Scrub
 * has ever accepted it.
 */
export const chargeEstimate = async (tx: Tx, orderId: string, now: Date): Promise<boolean> =>
  (await wasAccepted(tx, orderId)) && (await scheduleWeighedCapture(tx, orderId, undefined, now));
