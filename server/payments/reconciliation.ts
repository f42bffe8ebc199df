import type { Context } from '../context.ts';
import { type CardNetworkPayment, CardNetworkUnavailableError } from './cards.ts';
import {
  finishReconciliation,
  type PaymentToReconcile,
  releaseHoldAgain,
  takeDueReconciliation,
} from './reconciliation.sql.ts';

const RETRY_AFTER_MS = 60_000;
// What was under way while we looked is over by then, and a person's mending shows.
const CONCERN_RECHECK_MS = 10 * 60_000;

/** Looks at one payment that is due for it, and notes what differs from our books; false when there was none. */
export async function reconcileDuePayment({ db, now, cards, log }: Context): Promise<boolean> {
  const until = new Date(now().getTime() + RETRY_AFTER_MS);
  const payment = await takeDueReconciliation(db, now(), until);
  if (!payment) return false;
  try {
    const seen = await cards.findPayment(payment.squareId);
    if (payment.asking) return true;
    if (payment.state === 'voided' && seen?.status === 'APPROVED') await releaseHoldAgain(db, payment.orderId, now());
    const concern = findConcern(payment, seen);
    if (concern !== null) log.error({ order: payment.orderId, concern }, 'the card network tells another story');
    const lookAt = new Date(now().getTime() + CONCERN_RECHECK_MS);
    await finishReconciliation(db, payment.orderId, until, concern === null ? null : { concern, lookAt });
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    log.warn({ order: payment.orderId }, 'the card network is away; looking again');
  }
  return true;
}

/** What a person should know of how a payment stands at the card network, or null when it is as our books say. */
export function findConcern(payment: PaymentToReconcile, seen: CardNetworkPayment | undefined): string | null {
  const { state, amount, refunded } = payment;
  if (!seen) return 'the card network knows no such payment';
  if (state === 'held' && seen.status !== 'APPROVED') return `the hold is ${seen.status} at the card network`;
  if (state === 'voided' && seen.status === 'COMPLETED') return 'it was captured although its order is off: refund it';
  if (state !== 'captured') return null;
  if (seen.status !== 'COMPLETED') return `it is captured here and ${seen.status} at the card network`;
  if (seen.amount !== amount) return `${seen.amount} cents were captured instead of ${amount}`;
  if (seen.refunded === refunded) return null;
  return `the card network gave ${seen.refunded} cents back, our refunds add up to ${refunded}`;
}
