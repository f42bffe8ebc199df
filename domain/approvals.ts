import { HOUR_MS } from './durations.ts';
import type { Cents } from './payments.ts';

/** The states of a request that needs a second operator. */
export const APPROVAL_STATES = ['waiting', 'approved', 'declined', 'withdrawn', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** For an unanswered request. */
export const APPROVAL_EXPIRES_AFTER_MS = 72 * HOUR_MS;
/** Automatic approval in a town with one operator. The owner can stop it until then. */
export const AUTO_APPROVAL_AFTER_MS = 24 * HOUR_MS;

type ApprovalRow = {
  readonly action: 'approve' | 'decline' | 'withdraw' | 'expire' | 'ripen' | 'stop';
  readonly from: ApprovalState;
  readonly to: ApprovalState;
  /** `other` is an operator who did not ask. `link` is anyone with the link of the mail to the owner. */
  readonly by: 'asker' | 'other' | 'link' | 'System';
  readonly after?: number;
};

/** The workflow of approvals, with one row for each action. */
export const APPROVAL_FLOW = [
  { action: 'approve', from: 'waiting', to: 'approved', by: 'other' },
  { action: 'decline', from: 'waiting', to: 'declined', by: 'other' },
  { action: 'withdraw', from: 'waiting', to: 'withdrawn', by: 'asker' },
  { action: 'stop', from: 'waiting', to: 'declined', by: 'link' },
  { action: 'ripen', from: 'waiting', to: 'approved', by: 'System', after: AUTO_APPROVAL_AFTER_MS },
  { action: 'expire', from: 'waiting', to: 'expired', by: 'System', after: APPROVAL_EXPIRES_AFTER_MS },
] as const satisfies readonly ApprovalRow[];

/** How much operators may refund without approval: of one order, and each operator in a day. */
export type RefundLimits = { readonly order: Cents; readonly day: Cents };

/**
 * Whether a refund of `cents` needs approval. `soFar` are the refunds without approval: of the order by all operators, and by
 * this operator today.
 */
export const needsApproval = (cents: Cents, soFar: RefundLimits, limits: RefundLimits): boolean =>
  soFar.order + cents > limits.order || soFar.day + cents > limits.day;
