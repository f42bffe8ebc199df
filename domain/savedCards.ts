/** A card that a Bud has saved: `saving` until the card network has it, `removing` until the card network has it no more. */
export type SavedCardState = 'saving' | 'saved' | 'refused' | 'removing' | 'removed';

export const MAX_SAVED_CARDS = 5;

/** What a Bud agrees to. It is stored with each card as it was shown. */
export const CARD_CONSENT =
  'Save this card for my next orders. The card network keeps it, and it is charged only for orders that I place with it. I can remove it in my profile at any time.';

/** The ways a card's date of expiry reads. */
export const EXPIRIES = ['fine', 'soon', 'over'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/** A Bud hears of a card's end so many days before. */
const SOON_DAYS = 45;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A card can be used until the end of its last month. `expMonth` is from 1 to 12. */
export function expiryOf(
  { expMonth, expYear }: { readonly expMonth: number; readonly expYear: number },
  at: Date,
): Expiry {
  const end = Date.UTC(expYear, expMonth, 1);
  if (end <= at.getTime()) return 'over';
  return end - at.getTime() <= SOON_DAYS * DAY_MS ? 'soon' : 'fine';
}
