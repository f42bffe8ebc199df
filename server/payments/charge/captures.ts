import { linesOfCapture } from '../../../domain/ledger.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../db/database.ts';
import { CardNetworkUnavailableError } from '../card/cards.ts';
import { addMs, RELEASE_AGAIN_AFTER_MS, retryDelayMs } from '../card/retry.ts';
import { releaseOrder, settleOrder } from '../earnings/earnings.ts';
import {
  markCaptured,
  markStuck,
  markVoided,
  type PaymentRow,
  reschedulePayment,
  takeDuePayment,
} from '../hold/payments.sql.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import { notifyOfEntry } from '../ledger/moneyNotices.sql.ts';
import { refundReduction } from '../refunds/unearnedRefunds.ts';

/** Captures or releases one due payment: the given one, or any. False when none was due. */
export async function processDuePayment(context: Context, orderId?: string): Promise<boolean> {
  const { db, now, log } = context;
  const payment = await takeDuePayment(db, now(), orderId);
  if (!payment) return false;
  try {
    await captureOrRelease(context, payment);
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    const delayMs = retryDelayMs(payment.tries);
    log.warn(
      { order: payment.orderId, state: payment.state, delayMs },
      'the card network is unavailable, the payment will be retried',
    );
    await reschedulePayment(db, payment.orderId, addMs(now(), delayMs), error.message);
  }
  return true;
}

async function captureOrRelease(context: Context, payment: PaymentRow): Promise<void> {
  const { db, now, cards, log } = context;
  const isCapture = payment.state === 'capturing';
  const outcome = isCapture ? await cards.capture(payment) : await cards.release(payment);
  if (outcome.kind === 'captured') {
    await recordCapture(context, payment, outcome.amount);
  } else if (outcome.kind === 'refused') {
    log.error({ order: payment.orderId, reason: outcome.reason }, 'a payment needs an operator');
    await transact(db, async (tx) => {
      await markStuck(tx, payment, outcome.reason, now());
      // The order may have ended while its card was being charged.
      if (isCapture) await releaseOrder(tx, payment.orderId, now());
    });
  } else {
    // Without an id the hold may still arrive at the card network, so the worker releases it once more later.
    const mayStillArrive = payment.squareId === null && payment.state === 'voiding';
    await markVoided(db, payment, mayStillArrive ? addMs(now(), RELEASE_AGAIN_AFTER_MS) : null, now());
  }
}

async function recordCapture({ db, now }: Context, payment: PaymentRow, amount: number): Promise<void> {
  const { orderId, budId } = payment;
  await transact(db, async (tx) => {
    const at = now();
    const captured = await markCaptured(tx, payment, amount, at);
    if (!captured) return;
    const lines = linesOfCapture({ budId, amount, discount: captured.discount });
    const entryId = await writeLedgerEntry(tx, { kind: 'captured', orderId, at, lines });
    // The notice that an order was accepted names its price. A weighed order has its price only now.
    if (captured.isWeighed && entryId) await notifyOfEntry(tx, { entryId, people: [budId] }, at);
    if (captured.isReduced) await refundReduction(tx, orderId, at);
    if (captured.settles) await settleOrder(tx, orderId, at);
  });
}

const CONCURRENCY = 4;

/** Processes several due payments concurrently, so that one slow call does not block the others. */
export async function processDuePayments(context: Context): Promise<boolean> {
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => processDuePayment(context)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return results.some((result) => result.status === 'fulfilled' && result.value);
}
