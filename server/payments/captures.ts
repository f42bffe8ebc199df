import { linesOfCapture } from '../../domain/ledger.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { CardNetworkUnavailableError } from './cards.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import {
  markCaptured,
  markStuck,
  markVoided,
  type PaymentRow,
  reschedulePayment,
  takeDuePayment,
} from './payments.sql.ts';

const LEASE_S = 20;
const FIRST_WAIT_S = 2;
const WAIT_S = 30;
const SLOW_AFTER_TRIES = 24; // about ten minutes of half minutes
const LONGEST_WAIT_S = 3600;

/** Seconds until a capture or a release that did not go through is tried again: soon, then each half minute, then slowly. */
export function paymentRetryDelayS(tries: number): number {
  if (tries <= SLOW_AFTER_TRIES) return Math.min(WAIT_S, FIRST_WAIT_S * 2 ** Math.max(0, tries - 1));
  return Math.min(LONGEST_WAIT_S, WAIT_S * 2 ** Math.min(tries - SLOW_AFTER_TRIES, 10));
}

/** Takes one payment that is due (the given one, or any) and does its capture or release; false when there was none. */
export async function processDuePayment(deps: Context, orderId?: string): Promise<boolean> {
  const { db, now } = deps;
  const payment = await takeDuePayment(db, now(), LEASE_S, orderId);
  if (!payment) return false;
  try {
    await captureOrRelease(deps, payment);
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    const wait = paymentRetryDelayS(payment.tries);
    deps.log.warn({ order: payment.orderId, state: payment.state, wait }, 'the card network is away; trying again');
    await reschedulePayment(db, payment.orderId, new Date(now().getTime() + wait * 1000), error.message);
  }
  return true;
}

// A request for a hold may still be on its way after nothing was found to release: the key is released once more then.
const RELEASE_AGAIN_AFTER_MS = 10 * 60_000;

async function captureOrRelease(deps: Context, payment: PaymentRow): Promise<void> {
  const { db, now, cards, log } = deps;
  const capturing = payment.state === 'capturing';
  const outcome = capturing ? await cards.capture(payment) : await cards.release(payment);
  if (outcome.kind === 'refused') {
    log.error({ order: payment.orderId, reason: outcome.reason }, 'a payment needs a person');
    await markStuck(db, payment, outcome.reason, now());
  } else if (capturing) {
    await recordCapture(deps, payment);
  } else {
    const suspected = payment.squareId === null && payment.state === 'voiding';
    await markVoided(db, payment, suspected ? new Date(now().getTime() + RELEASE_AGAIN_AFTER_MS) : null, now());
  }
}

async function recordCapture({ db, now }: Context, payment: PaymentRow): Promise<void> {
  await transact(db, async (tx) => {
    const at = now();
    if (!(await markCaptured(tx, payment, at))) return;
    await writeLedgerEntry(tx, { kind: 'captured', orderId: payment.orderId, at, lines: linesOfCapture(payment) });
  });
}

const CONCURRENCY = 4;

/** Settles several due payments side by side, so that one that gets no answer does not keep the others waiting. */
export async function processDuePayments(deps: Context): Promise<boolean> {
  const lanes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => processDuePayment(deps)));
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
  return lanes.some((lane) => lane.status === 'fulfilled' && lane.value);
}
