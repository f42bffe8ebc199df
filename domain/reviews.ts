import type { Role } from './accounts.ts';

export const REVIEW_TYPES = ['Bud_To_Scrub', 'Scrub_To_Bud', 'Bud_To_Duber', 'Scrub_To_Duber'] as const;
export type ReviewType = (typeof REVIEW_TYPES)[number];

export const REVIEW_MESSAGE_MINIMUM = 10; // spec 9
export const RATING_FROM = 1; // spec 9
export const RATING_TO = 5; // spec 9

export type ReviewRule = {
  readonly type: ReviewType;
  readonly by: Role;
  readonly of: Role;
  /** What the review is about, and the status that it needs (spec 4.3). */
  readonly about: 'order' | 'delivery';
  readonly requiredStatus: 'Completed' | 'Delivered';
};

// spec 4.3
export const REVIEW_RULES = [
  { type: 'Bud_To_Scrub', by: 'Bud', of: 'Scrub', about: 'order', requiredStatus: 'Completed' },
  { type: 'Scrub_To_Bud', by: 'Scrub', of: 'Bud', about: 'order', requiredStatus: 'Completed' },
  { type: 'Bud_To_Duber', by: 'Bud', of: 'Duber', about: 'delivery', requiredStatus: 'Delivered' },
  { type: 'Scrub_To_Duber', by: 'Scrub', of: 'Duber', about: 'delivery', requiredStatus: 'Delivered' },
] as const satisfies readonly ReviewRule[];

/** The rule by which a person of role `by` reviews one of role `of`, or undefined when they may not. */
export function findReviewRule(by: Role, of: Role): ReviewRule | undefined {
  return REVIEW_RULES.find((rule) => rule.by === by && rule.of === of);
}

/** Whether `by` may review `of` now: the subject has the required status and no review of that type. */
export function mayReview(
  by: Role,
  of: Role,
  subject: { readonly status: string; readonly reviews: readonly { readonly type: ReviewType }[] },
): boolean {
  const rule = findReviewRule(by, of);
  return (
    rule !== undefined &&
    subject.status === rule.requiredStatus &&
    !subject.reviews.some((review) => review.type === rule.type)
  );
}
