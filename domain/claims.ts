import type { ClaimCaps, ItemKind, Opening } from './cases.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';
import type { Cents } from './payments.ts';

// The rules of a claim: what may be asked for, until when, and who is asked first.

/** A claim is made within this time after the delivery. */
export const CLAIM_WITHIN_MS = 48 * HOUR_MS;
/** Missing laundry is often noticed later. */
export const MISSING_WITHIN_MS = 7 * DAY_MS;

/** A Bud with so many claims in this time, the new one included, is answered by the town. */
export const MANY_CLAIMS = 3;
export const MANY_CLAIMS_WITHIN_MS = 90 * DAY_MS;

/** Problems that need a photo. */
const PHOTO_KINDS: readonly ItemKind[] = ['damaged', 'stained', 'wet'];
/** Problems that only the Duber can answer. */
const DUBER_KINDS: readonly ItemKind[] = ['wrong-bag', 'late'];

/** What a garment of an age is still worth, in percent. The first row whose age is not exceeded applies. */
export const PERCENT_BY_AGE = [
  { months: 3, percent: 100 },
  { months: 12, percent: 60 },
  { months: 24, percent: 40 },
] as const;
/** What an older garment is still worth, in percent. */
export const PERCENT_OF_OLDER = 20;
export const MAX_AGE_MONTHS = 1200;

export const percentAtAge = (months: number): number =>
  PERCENT_BY_AGE.find((row) => months <= row.months)?.percent ?? PERCENT_OF_OLDER;

/** The maximum claim for an item: its present value, up to the cap for a garment. */
export function maxForItem(
  { worth, ageMonths }: { readonly worth: Cents; readonly ageMonths: number },
  caps: ClaimCaps,
): Cents {
  return Math.min(caps.garment, Math.floor((worth * percentAtAge(ageMonths)) / 100));
}

export type ClaimItem = {
  readonly what: string;
  readonly kind: ItemKind;
  /** What it cost new. */
  readonly worth: Cents;
  readonly ageMonths: number;
  readonly asked: Cents;
};

export type ClaimProblem =
  | { readonly why: 'item-above-cap'; readonly index: number; readonly most: Cents }
  | { readonly why: 'order-above-cap'; readonly most: Cents };

/** The first cap that a claim exceeds. `earlier` is what other claims on the same order were given. */
export function findCapProblem(
  items: readonly ClaimItem[],
  caps: ClaimCaps,
  earlier: Cents = 0,
): ClaimProblem | undefined {
  const index = items.findIndex((item) => item.asked > maxForItem(item, caps));
  const item = items[index];
  if (item) return { why: 'item-above-cap', index, most: maxForItem(item, caps) };
  const most = Math.max(0, caps.order - earlier);
  return sumClaimed(items) > most ? { why: 'order-above-cap', most } : undefined;
}

export const sumClaimed = (items: readonly Pick<ClaimItem, 'asked'>[]): Cents =>
  items.reduce((sum, { asked }) => sum + asked, 0);

export const needsPhoto = (items: readonly Pick<ClaimItem, 'kind'>[]): boolean =>
  items.some(({ kind }) => PHOTO_KINDS.includes(kind));

/** Whether a claim about these items can still be made. */
export function isClaimInTime(
  items: readonly Pick<ClaimItem, 'kind'>[],
  { deliveredAt, now }: { readonly deliveredAt: Date; readonly now: Date },
): boolean {
  const within = items.every(({ kind }) => kind === 'missing') ? MISSING_WITHIN_MS : CLAIM_WITHIN_MS;
  return now.getTime() - deliveredAt.getTime() <= within;
}

/** Who must answer a claim first. */
export function openingOfClaim(
  items: readonly Pick<ClaimItem, 'kind'>[],
  {
    recentClaims,
    hasDuber,
    isGone = false,
  }: { readonly recentClaims: number; readonly hasDuber: boolean; readonly isGone?: boolean },
): Opening {
  // The town looks for laundry that is lost already.
  if (isGone) return { to: 'with-town', about: hasDuber ? 'duber' : 'scrub' };
  const isDubers = hasDuber && items.every(({ kind }) => DUBER_KINDS.includes(kind));
  const about = isDubers ? 'duber' : 'scrub';
  if (recentClaims + 1 >= MANY_CLAIMS) return { to: 'with-town', about };
  return { to: isDubers ? 'with-duber' : 'with-scrub', about };
}

/** "2 months old". */
export const ageText = (months: number): string => `${months} ${months === 1 ? 'month' : 'months'} old`;
