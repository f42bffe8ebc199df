import type { Deps } from '../deps.ts';
import { CardNetworkAway } from './cards.ts';
import { markSettled, markStuck, type PaymentRow, takeDuePayment, tryPaymentAgain } from './payments.sql.ts';

const LEASE_S = 20;
const FIRST_WAIT_S = 2;
const WAIT_S = 30;
const SLOW_AFTER_TRIES = 24; // about ten minutes of half minutes
const LONGEST_WAIT_S = 3600;

/** Seconds until a capture or a release that did not go through is tried again: soon, then each half minute, then slowly. */
export function waitAfter(tries: number): number {
  if (tries <= SLOW_AFTER_TRIES) return Math.min(WAIT_S, FIRST_WAIT_S * 2 ** Math.max(0, tries - 1));
  return Math.min(LONGEST_WAIT_S, WAIT_S * 2 ** Math.min(tries - SLOW_AFTER_TRIES, 10));
}

/** Takes one payment that is due (the given one, or any) and does its capture or release; false when there was none. */
export async function settleDuePayment(deps: Deps, orderId?: string): Promise<boolean> {
  const { db, now } = deps;
  const payment = await takeDuePayment(db, now(), LEASE_S, orderId);
  if (!payment) return false;
  try {
    await settle(deps, payment);
  } catch (error) {
    if (!(error instanceof CardNetworkAway)) throw error;
    const wait = waitAfter(payment.tries);
    deps.log.warn({ order: payment.orderId, state: payment.state, wait }, 'the card network is away; trying again');
    await tryPaymentAgain(db, payment.orderId, new Date(now().getTime() + wait * 1000), error.message);
  }
  return true;
}

async function settle({ db, now, cards, log }: Deps, payment: PaymentRow): Promise<void> {
  const capturing = payment.state === 'capturing';
  const outcome = capturing ? await cards.capture(payment) : await cards.release(payment);
  if (outcome.kind === 'refused') {
    log.error({ order: payment.orderId, reason: outcome.reason }, 'a payment needs a person');
    await markStuck(db, payment.orderId, outcome.reason, now());
  } else {
    await markSettled(db, payment.orderId, capturing ? 'captured' : 'voided', now());
  }
}
