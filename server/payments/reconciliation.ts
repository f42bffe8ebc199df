import type { Context } from '../context.ts';
import { type CardNetworkPayment, CardNetworkUnavailableError } from './cards.ts';
import {
  finishReconciliation,
  type PaymentToReconcile,
  releaseHoldAgain,
  takeDueReconciliation,
} from './reconciliation.sql.ts';
import { addMs, DISCREPANCY_RECHECK_MS } from './retry.ts';

/** Compares one due payment with the card network and records any discrepancy; false when none was due. */
export async function reconcileDuePayment({ db, now, cards, log }: Context): Promise<boolean> {
  const payment = await takeDueReconciliation(db, now());
  if (!payment) return false;
  const { orderId } = payment;
  try {
    const atNetwork = await cards.findPayment(payment.squareId);
    // The lease makes it due again once the refund's outcome is known.
    if (payment.isRefundInFlight) return true;
    if (payment.state === 'voided' && atNetwork?.status === 'APPROVED') await releaseHoldAgain(db, payment, now());
    const text = findDiscrepancy(payment, atNetwork);
    if (text !== null) log.error({ order: orderId, discrepancy: text }, 'the card network and our books disagree');
    const recheckAt = addMs(now(), DISCREPANCY_RECHECK_MS);
    await finishReconciliation(db, payment, text === null ? null : { text, recheckAt });
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    log.warn({ order: orderId }, 'the card network is unavailable, the reconciliation will be retried');
  }
  return true;
}

/** How a payment at the card network differs from our books, in words for the operator, or null when they agree. */
function findDiscrepancy(payment: PaymentToReconcile, atNetwork: CardNetworkPayment | undefined): string | null {
  const { state, amount, refunded } = payment;
  if (!atNetwork) return 'the card network does not know this payment';
  const { status } = atNetwork;
  if (state === 'held' && status !== 'APPROVED') return `the hold is ${status} at the card network`;
  if (state === 'voided' && status === 'COMPLETED')
    return 'it was captured although its order was called off: refund it';
  if (state !== 'captured') return null;
  if (status !== 'COMPLETED') return `it is captured here and ${status} at the card network`;
  if (atNetwork.amount !== amount) return `${atNetwork.amount} cents were captured instead of ${amount}`;
  if (atNetwork.refunded === refunded) return null;
  return `the card network refunded ${atNetwork.refunded} cents, our refunds add up to ${refunded}`;
}
