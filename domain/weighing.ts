import { DAY_MS, HOUR_MS } from './durations.ts';
import { isHeavierSize, type OrderSize, type OrderStatus, SIZE_POUNDS, type WeighingAction } from './orders.ts';

/** A Bud whose laundry is heavier than the limit answers within this time. */
export const CORRECTION_LIFETIME_MS = 2 * HOUR_MS;
/** A Bud can say that the weight is wrong for this long, when more was charged without asking. */
export const CONTEST_WEIGHT_WITHIN_MS = DAY_MS;
/** A hold lives for 7 days. An order that was not weighed by then is charged its estimate after this time. */
export const CHARGE_ESTIMATE_AFTER_MS = 6 * DAY_MS;
/** Whether the estimate is charged before laundry that is fetched then can be weighed. */
export const isChargedFirst = (placedAt: Date, pickupUntil: Date | undefined): boolean =>
  pickupUntil !== undefined && pickupUntil.getTime() > placedAt.getTime() + CHARGE_ESTIMATE_AFTER_MS;

/** Who has weighed. */
export const SCALES = ['scrub', 'duber'] as const;
export type Scale = (typeof SCALES)[number];

export const GRAMS_PER_POUND = 453.592_37;
export const MAX_GRAMS = 100_000;
export const MAX_PHOTOS_OF_SCALE = 2;
/** A load may weigh this much more than its size says. */
export const TOLERANCE_POUNDS = 0.5;
/** Two scales that differ by more than this share of the lighter weight disagree. */
const SCALES_AGREE_WITHIN = 0.1;

export const toPounds = (grams: number): number => grams / GRAMS_PER_POUND;
/** '5.3 lbs' */
export const formatPounds = (grams: number): string => `${toPounds(grams).toFixed(1)} lbs`;
export const toGrams = (pounds: number): number => Math.round(pounds * GRAMS_PER_POUND);

/** The states of the correction of an order whose laundry has another weight than its size. */
export const CORRECTION_STATES = ['lighter', 'auto', 'asked', 'paid', 'kept', 'sent-back'] as const;
export type CorrectionState = (typeof CORRECTION_STATES)[number];

/** What a Bud can answer. The first three answer an open correction; the last one contests a weight. */
export const CORRECTION_ANSWERS = ['pay', 'keep', 'send-back', 'contest'] as const satisfies readonly WeighingAction[];
export type CorrectionAnswer = (typeof CORRECTION_ANSWERS)[number];

export const WEIGHED_STATUSES = ['Accepted', 'In_Progress'] as const satisfies readonly OrderStatus[];

export type Weights = { readonly scrub: number; readonly duber: number | undefined };

/** The weight that counts, in grams: the Scrub's, or the lower one when two scales disagree. */
export function decidingWeight({ scrub, duber = scrub }: Weights): { grams: number; doScalesDisagree: boolean } {
  const [lower, higher] = [Math.min(scrub, duber), Math.max(scrub, duber)];
  const doScalesDisagree = higher - lower > lower * SCALES_AGREE_WITHIN;
  return { grams: doScalesDisagree ? lower : scrub, doScalesDisagree };
}

/** The smallest size that a weight fits, of those that are sold. Undefined when it is heavier than all of them. */
export const sizeOfWeight = (grams: number, sold: readonly OrderSize[]): OrderSize | undefined =>
  sold.find((size) => toPounds(grams) <= SIZE_POUNDS[size].to + TOLERANCE_POUNDS);

export type WeighingVerdict =
  | { readonly kind: 'same' }
  /** The order becomes this size: it costs less, or more within the limit. */
  | { readonly kind: 'lighter' | 'heavier'; readonly size: OrderSize }
  /** The Bud decides. Without a size nothing is sold that takes so much. */
  | { readonly kind: 'beyond'; readonly size: OrderSize | undefined };

/** Compares a weight with an order's size and limit. */
export function judgeWeight(
  grams: number,
  order: { readonly size: OrderSize; readonly limit: OrderSize; readonly sold: readonly OrderSize[] },
): WeighingVerdict {
  const size = sizeOfWeight(grams, order.sold);
  if (size === undefined || isHeavierSize(size, order.limit)) return { kind: 'beyond', size };
  if (size === order.size) return { kind: 'same' };
  return { kind: isHeavierSize(size, order.size) ? 'heavier' : 'lighter', size };
}
