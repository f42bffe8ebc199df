import type { ReviewType } from '../../domain/reviews.ts';

export type ReviewTexts = {
  /** The heading of the card that asks for the review. */
  readonly invitation: string;
  readonly line: string;
  readonly button: string;
  /** The title of the dialog. */
  readonly title: string;
};

/** The texts of each type of review; a new type does not compile without them. */
export const REVIEW_TEXTS = {
  Bud_To_Scrub: {
    invitation: 'Rate Your Laundry Experience',
    line: 'How was the wash? Your review helps other Buds choose.',
    button: 'Leave Review for Scrub',
    title: 'Review your Scrub',
  },
  Scrub_To_Bud: {
    invitation: 'Rate Your Customer',
    line: 'Was everything ready and as described?',
    button: 'Leave Review for Bud',
    title: 'Review your Bud',
  },
  Bud_To_Duber: {
    invitation: 'Rate Your Delivery Experience',
    line: 'How did your driver do? It only takes a moment.',
    button: 'Leave Review for Driver',
    title: 'Review your driver',
  },
  Scrub_To_Duber: {
    invitation: 'Rate Your Delivery Experience',
    line: 'How did your driver do? It only takes a moment.',
    button: 'Leave Review for Driver',
    title: 'Review your driver',
  },
} as const satisfies Record<ReviewType, ReviewTexts>;
