import { HOUR_MS } from './durations.ts';
import type { Cents } from './payments.ts';

/** The states of a request that needs a second operator. */
export const APPROVAL_STATES = ['waiting', 'approved', 'declined', 'withdrawn', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** For an unanswered request. */
export const APPROVAL_EXPIRES_AFTER_MS = 72 * HOUR_MS;
/** Automatic approval in a town with one operator, of what does not happen at once. The owner can stop it until then. */
export const AUTO_APPROVAL_AFTER_MS = 24 * HOUR_MS;

/**
 * How an act that needs approval is done by an operator who runs the town alone: at once, with a new code and a mail to the town; or
 * after `AUTO_APPROVAL_AFTER_MS`, always or only in a town that had an order.
 */
export type AloneRule = 'at-once' | 'waits' | 'waits-after-first-order';

/** What an act needs besides a right and a reason. */
export type Consent = 'none' | 'code-and-mail' | 'approval';

type ConsentFacts = {
  readonly needsApproval: boolean;
  /** Whether its operator runs the town alone. */
  readonly runsAlone: boolean;
  readonly alone: AloneRule | undefined;
  readonly hasOrders: boolean;
};

export function consentFor({ needsApproval, runsAlone, alone = 'at-once', hasOrders }: ConsentFacts): Consent {
  if (!needsApproval) return 'none';
  const waits = alone === 'waits' || (alone === 'waits-after-first-order' && hasOrders);
  return runsAlone && !waits ? 'code-and-mail' : 'approval';
}

/** How much operators may refund without approval: of one order, and each operator in a day. */
export type RefundLimits = { readonly order: Cents; readonly day: Cents };

/**
 * Whether a refund of `cents` needs approval. `soFar` are the refunds without approval: of the order by all operators, and by
 * this operator today.
 */
export const isAboveLimits = (cents: Cents, soFar: RefundLimits, limits: RefundLimits): boolean =>
  soFar.order + cents > limits.order || soFar.day + cents > limits.day;
