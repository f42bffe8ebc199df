import type { Actor } from './workflow.ts';

/** A payout: what a person is owed for the time before a Monday, on its way to their bank. */
export const PAYOUT_STATUSES = ['due', 'sent', 'returned'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** The workflow of a payout. Both steps need two operators. */
export const PAYOUT_FLOW = [
  { action: 'send', from: 'due', to: 'sent', by: 'Operator' },
  // The bank could not pay it. The person is owed the money again, and the next payout has it.
  { action: 'return', from: 'sent', to: 'returned', by: 'Operator' },
] as const satisfies readonly { action: string; from: PayoutStatus; to: PayoutStatus; by: Actor }[];

type PayoutAction = (typeof PAYOUT_FLOW)[number]['action'];

/** The status after a step, or undefined when it cannot be taken now. */
export const payoutStatusAfter = (action: PayoutAction, from: PayoutStatus): PayoutStatus | undefined =>
  PAYOUT_FLOW.find((row) => row.action === action && row.from === from)?.to;
