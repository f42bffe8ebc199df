import type { BudId } from '../../domain/accounts.ts';
import type { Cents } from '../../domain/payments.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Declined } from './cards.ts';

// The card of an order that is weighed: `OrderDraft.holdAmount` is held when it is placed, and what it costs is charged once
// it is weighed. The caller has locked the order. See decision 092.

/** What a weighing may still change about an order's payment. */
export type WeighedPayment = {
  /** Whether the card is charged, or is being charged: the price can only fall, and the difference goes back. */
  readonly isCharged: boolean;
  /** What the order costs by now. */
  readonly price: Cents;
  /** What it may cost at most without another hold: what is held, or what was charged. */
  readonly atMost: Cents;
  /** Whether the price may change. Once the work is earned it may not: claims give money back then. */
  readonly mayChange: boolean;
};

/** Locks the payment until the transaction ends. Undefined when the order is not weighed. */
export async function lockWeighedPayment(_tx: Tx, _orderId: string): Promise<WeighedPayment | undefined> {
  throw new Error('not yet');
}

/**
 * Fixes what an order costs, from 0 to `atMost`, and has the card charged: call it in the transaction that writes the order's
 * price columns, also when the price stays. Charged already: the difference goes back. Throws when the amount is not possible.
 */
export async function captureFinalPrice(
  _tx: Tx,
  _final: { readonly orderId: string; readonly amount: Cents },
  _now: Date,
): Promise<void> {
  throw new Error('not yet');
}

/** A hold does not last longer than a week: this long after the order was placed its card is charged the estimate. */
export const CHARGE_ESTIMATE_AFTER_MS = 6 * 24 * 60 * 60 * 1000;

/** Charges the estimate of an order that nobody has weighed. False when nothing is held any more, or it is being charged. */
export async function chargeEstimate(_tx: Tx, _orderId: string, _now: Date): Promise<boolean> {
  throw new Error('not yet');
}

export type HoldReplacement = {
  readonly orderId: string;
  readonly bud: BudId;
  /** The IP address of the request. Declined cards are counted as when an order is placed. */
  readonly from: string;
  /** The order's new price. */
  readonly amount: Cents;
  readonly sourceId: string;
  readonly verificationToken: string | null;
  /** The same for each try of one request: it resumes where the earlier one failed. Null for a request of its own. */
  readonly key: string | null;
};

/** `gone`: the earlier hold was charged or released meanwhile. The new one is released, and nothing has changed. */
export type HoldReplacementOutcome = { readonly kind: 'held' } | { readonly kind: 'gone' } | Declined;

/**
 * Holds an order's new price on a card, and then releases the earlier hold. `whenHeld` runs in the transaction that takes the
 * new hold, with the order locked, once: write the new price and call `captureFinalPrice` there. When it throws, the new hold
 * is released. Throws CardNetworkUnavailableError: the caller may repeat the request with the same key.
 */
export async function replaceHold(
  _context: Context,
  _replacement: HoldReplacement,
  _whenHeld: (tx: Tx, at: Date) => Promise<void>,
): Promise<HoldReplacementOutcome> {
  throw new Error('not yet');
}
