/** What an operator can keep a person from for a while. A hold ends by being lifted, and leaves nothing behind. */
export const HOLD_KINDS = ['sign-in', 'new-work', 'payout', 'reviews-hidden'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];
