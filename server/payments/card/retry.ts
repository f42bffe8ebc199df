import { MINUTE_MS } from '../../../domain/durations.ts';

// When the payment jobs try again: every delay in one place.
const SECOND_MS = 1_000;
const FIRST_DELAY_MS = 2 * SECOND_MS;
const DELAY_MS = 30 * SECOND_MS;
const MAX_DELAY_MS = 60 * MINUTE_MS;

/** A job that takes a payment or a refund has this long before another worker may take it. */
export const LEASE_MS = 20 * SECOND_MS;
/** How soon a payment that could not be reconciled is checked again. */
export const POLL_MS = MINUTE_MS;
/** How soon a discrepancy is checked again: calls that were in flight have finished by then. */
export const DISCREPANCY_RECHECK_MS = 10 * MINUTE_MS;
/** How soon after a capture or a refund the card network is asked for its fee. */
export const FEE_AFTER_MS = 5 * MINUTE_MS;
const FEE_MAX_TRIES = 14;
/** When to ask again for a fee that the card network did not tell: later each time, for a week. Null: no more. */
export function feeDelayMs(tries: number): number | null {
  return tries >= FEE_MAX_TRIES ? null : Math.min(12 * MAX_DELAY_MS, FEE_AFTER_MS * 2 ** tries);
}
/** A request for a hold can still be in flight when there is nothing to release yet, so its key is released again. */
export const RELEASE_AGAIN_AFTER_MS = 10 * MINUTE_MS;

/** A hold that was requested and has not been taken after this time is released. */
export const ABANDONED_AFTER_MS = 90 * SECOND_MS;

/** More tries than this, about ten minutes' worth, are reported to the operator. */
export const SLOW_AFTER_TRIES = 24;

/** Backoff for calls that the card network did not answer: fast at first, then every 30 s, then slower up to an hour. */
export function retryDelayMs(tries: number): number {
  if (tries <= SLOW_AFTER_TRIES) return Math.min(DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, tries - 1));
  return Math.min(MAX_DELAY_MS, DELAY_MS * 2 ** Math.min(tries - SLOW_AFTER_TRIES, 10));
}

/** How soon a pending refund is checked again: most are made within seconds, and people wait for them. Then every minute. */
export function pendingDelayMs(tries: number): number {
  return Math.min(POLL_MS, FIRST_DELAY_MS * 2 ** Math.min(Math.max(0, tries - 1), 10));
}

export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
