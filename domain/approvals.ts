import { HOUR_MS } from './durations.ts';
import type { Cents } from './payments.ts';

/** The states of a request that needs a second operator. */
export const APPROVAL_STATES = ['waiting', 'approved', 'declined', 'withdrawn', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** For an unanswered request. */
export const APPROVAL_EXPIRES_AFTER_MS = 72 * HOUR_MS;
/** Automatic approval in a town with one operator. The owner can stop it until then. */
export const AUTO_APPROVAL_AFTER_MS = 24 * HOUR_MS;

/** How much operators may refund without approval: of one order, and each operator in a day. */
export type RefundLimits = { readonly order: Cents; readonly day: Cents };

/**
 * Whether a refund of `cents` needs approval. `soFar` are the refunds without approval: of the order by all operators, and by
 * this operator today.
 */
export const needsApproval = (cents: Cents, soFar: RefundLimits, limits: RefundLimits): boolean =>
  soFar.order + cents > limits.order || soFar.day + cents > limits.day;
