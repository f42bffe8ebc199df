import { linesOfCardFee } from '../../../domain/ledger.ts';
import type { Context } from '../../context.ts';
import { type Tx, transact } from '../../db/database.ts';
import { type CardNetworkPayment, CardNetworkUnavailableError } from '../card/cards.ts';
import { addMs, DISCREPANCY_RECHECK_MS, feeDelayMs } from '../card/retry.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import {
  finishReconciliation,
  type PaymentToReconcile,
  recordCardFee,
  releaseHoldAgain,
  takeDueReconciliation,
} from './reconciliation.sql.ts';

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
    if (text !== null) log.error({ order: orderId, discrepancy: text }, 'the card network and our ledger disagree');
    if (atNetwork?.fee !== undefined) await writeCardFee(db, payment, atNetwork.fee, now());
    const isFeeMissing = payment.state === 'captured' && atNetwork !== undefined && atNetwork.fee === undefined;
    const delayMs = text === null ? (isFeeMissing ? feeDelayMs(payment.feeTries) : null) : DISCREPANCY_RECHECK_MS;
    const lookAt = delayMs === null ? null : addMs(now(), delayMs);
    await finishReconciliation(db, payment, { discrepancy: text, isFeeMissing, lookAt });
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    log.warn({ order: orderId }, 'the card network is unavailable, the reconciliation will be retried');
  }
  return true;
}

/** The ledger has what the card network says that it keeps: a fee that changes is written as its difference. */
async function writeCardFee(db: Tx, payment: PaymentToReconcile, fee: number, at: Date): Promise<void> {
  const { orderId, budId, cardFee } = payment;
  if (payment.state !== 'captured' || fee === cardFee) return;
  await transact(db, async (tx) => {
    if (!(await recordCardFee(tx, payment, fee))) return;
    const lines = linesOfCardFee({ budId, fee: fee - (cardFee ?? 0) });
    await writeLedgerEntry(tx, { kind: 'card-fee', orderId, at, lines });
  });
}

/** How a payment at the card network differs from our ledger, in words for the operator, or null when they agree. */
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
