// The time at which laundry is promised to be back, and what a town pays when the promise is missed.

import { HOUR_MS } from './durations.ts';
import type { Cents } from './payments.ts';

/** Who bears the credit of a missed promise: who had the laundry then, or the town. */
export const CREDIT_BEARERS = ['holder', 'town'] as const;
export type CreditBearer = (typeof CREDIT_BEARERS)[number];

export type PromiseCredit = { readonly cents: Cents; readonly borneBy: CreditBearer };

/**
 * What becomes of the credit of a missed promise: `owed` until it is certain who had the laundry then; `kept` when it was back in time after
 * all, as a phone said later; `unpaid` when nobody bears it.
 */
export const MISSED_STATES = ['owed', 'paid', 'kept', 'unpaid'] as const;

/**
 * Why a missed promise pays nothing. `with-bud`: the Bud still had the laundry. `late-pickup`: the Bud handed it over after the pickup window.
 * `not-home`: a Duber was at the door in time. `cancelled`: the order ended. `nothing-left`: no money is left to refund.
 */
export const UNPAID_REASONS = ['with-bud', 'late-pickup', 'not-home', 'cancelled', 'nothing-left'] as const;
export type UnpaidReason = (typeof UNPAID_REASONS)[number];

export const MAX_CREDIT: Cents = 10_000;

/** The people of an order are reminded so long before its promised time. */
export const REMIND_PROMISE_MS = HOUR_MS;
/** So long after a missed promise the town looks at the order. */
export const OVERDUE_AFTER_MS = 2 * HOUR_MS;
/**
 * So long after a missed promise it is certain who had the laundry then: phones without a network send their steps within a day. Until
 * then the credit is owed, and not paid.
 */
export const SETTLE_PROMISE_MS = 25 * HOUR_MS;

/** So long before its promised time an order that is neither back nor on the way back is at risk. */
export const AT_RISK_MS = 2 * HOUR_MS;
