import { DAY_MS } from './durations.ts';

/** A card that a Bud has saved: `saving` until the card network has the card, `removing` until the card network has deleted it. */
export type SavedCardState = 'saving' | 'saved' | 'refused' | 'removing' | 'removed';

export const MAX_SAVED_CARDS = 5;

/** What a Bud agrees to. It is stored with each card as it was shown. */
export const CARD_CONSENT =
  'Save this card for my next orders. The card network keeps it, and it is charged only for orders that I place with it. I can remove it in my profile at any time.';

/** The ways a card's date of expiry reads. */
export const EXPIRIES = ['fine', 'soon', 'over'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/** The end of a card is near so long before. */
const SOON_MS = 45 * DAY_MS;

/** A card can be used until the end of its last month. `expMonth` is from 1 to 12. */
export function expiryOf(
  { expMonth, expYear }: { readonly expMonth: number; readonly expYear: number },
  at: Date,
): Expiry {
  const end = Date.UTC(expYear, expMonth, 1);
  if (end <= at.getTime()) return 'over';
  return end - at.getTime() <= SOON_MS ? 'soon' : 'fine';
}
