import type { Cents } from './payments.ts';

/** What waits for a second operator. The first three are decisions, the others happen by themselves. */
export const APPROVAL_STATES = ['waiting', 'approved', 'declined', 'withdrawn', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

const HOUR_MS = 60 * 60_000;
/** Nobody has answered. */
export const APPROVAL_EXPIRES_AFTER_MS = 72 * HOUR_MS;
/** In a town with one operator, where nobody else can answer. The owner can stop it until then. */
export const AUTO_APPROVAL_AFTER_MS = 24 * HOUR_MS;

type ApprovalRow = {
  readonly action: 'approve' | 'decline' | 'withdraw' | 'expire' | 'ripen' | 'stop';
  readonly from: ApprovalState;
  readonly to: ApprovalState;
  /** `other` is an operator who did not ask. `link` is anyone with the link of the mail to the owner. */
  readonly by: 'asker' | 'other' | 'link' | 'System';
  readonly after?: number;
};

/** How a second yes is given. There is one row for each action. */
export const APPROVAL_FLOW = [
  { action: 'approve', from: 'waiting', to: 'approved', by: 'other' },
  { action: 'decline', from: 'waiting', to: 'declined', by: 'other' },
  { action: 'withdraw', from: 'waiting', to: 'withdrawn', by: 'asker' },
  { action: 'stop', from: 'waiting', to: 'declined', by: 'link' },
  { action: 'ripen', from: 'waiting', to: 'approved', by: 'System', after: AUTO_APPROVAL_AFTER_MS },
  { action: 'expire', from: 'waiting', to: 'expired', by: 'System', after: APPROVAL_EXPIRES_AFTER_MS },
] as const satisfies readonly ApprovalRow[];

/** What operators may give back without a second yes: of one order, and each of them in a day. */
export type RefundLimits = { readonly order: Cents; readonly day: Cents };

/**
 * Whether another operator must say yes before `cents` are given back. `soFar` is what was given back without one: of the order
 * by all operators together, and by this operator today.
 */
export const needsApproval = (cents: Cents, soFar: RefundLimits, limits: RefundLimits): boolean =>
  soFar.order + cents > limits.order || soFar.day + cents > limits.day;
