import { applyRate, type Cents, formatDollars } from './payments.ts';
import { toAsciiDigits } from './typed.ts';

// A promo code takes something off what the card pays. The order keeps its full price, and everybody earns the same: the
// platform pays the rest. See decision 115.

export const PROMO_KINDS = ['percent', 'amount'] as const;
export type PromoKind = (typeof PROMO_KINDS)[number];

/** The card always pays at least this much, so that every order has a card behind it. */
export const MIN_CARD_CENTS: Cents = 100;

export const MAX_PROMO_CODE_LENGTH = 20;
const CODE_PATTERN = /^[A-Z0-9](?:[A-Z0-9-]{1,18})[A-Z0-9]$/;
export const PROMO_CODE_MESSAGE = 'A code has 3 to 20 letters, digits and hyphens';

/** As it is stored: nobody needs to type a code in the right case, with the right dash or in Latin digits. */
export const toPromoCode = (typed: string): string =>
  toAsciiDigits(typed.normalize('NFKC').replaceAll(/\p{Dash}/gu, '-'))
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase();
export const isPromoCode = (code: string): boolean => CODE_PATTERN.test(code);

export const MAX_PROMO_USES = 1_000_000;
const MOST_DOLLARS = 1_000;
/** What all uses of a code may cost at most, where something limits it. */
export const MAX_PROMO_COST: Cents = 1_000_000_000;

const hasCents = (value: number) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6;

/** The terms of a code as operators enter them, in percent and dollars. */
export type PromoTermsInput = {
  readonly kind: PromoKind;
  readonly value: number;
  readonly maxDiscount?: number | undefined;
  readonly minTotal: number;
};

/** Why a code cannot have these terms, and which of them is wrong. */
export function findPromoProblem({ kind, value, maxDiscount, minTotal }: PromoTermsInput) {
  const wrong = (property: keyof PromoTermsInput, words: string) => ({ property, words });
  if (![value, maxDiscount ?? 0, minTotal].every(hasCents)) return wrong('value', 'At most 2 decimals');
  const most = kind === 'percent' ? 100 : MOST_DOLLARS;
  if (value <= 0 || value > most) return wrong('value', `More than 0, and at most ${most}`);
  if (maxDiscount !== undefined && kind === 'amount')
    return wrong('maxDiscount', 'Only a percentage has a highest amount');
  if (maxDiscount !== undefined && (maxDiscount <= 0 || maxDiscount > MOST_DOLLARS))
    return wrong('maxDiscount', `More than 0, and at most ${MOST_DOLLARS} dollars`);
  return minTotal >= 0 && minTotal <= MOST_DOLLARS ? undefined : wrong('minTotal', `From 0 to ${MOST_DOLLARS} dollars`);
}

/** What a code takes off, and for whom. */
export type PromoTerms = {
  readonly kind: PromoKind;
  /** Hundredths of a percent, or cents. */
  readonly value: number;
  /** The most that a percentage takes off. */
  readonly maxDiscount: Cents | null;
  /** What an order costs at least. */
  readonly minTotal: Cents;
  readonly firstOrderOnly: boolean;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly maxUses: number | null;
  readonly maxUsesPerBud: number | null;
  /** When an operator ended it. */
  readonly endedAt: Date | null;
};

/** What it takes off an order. Never more than leaves the card its least. */
export function discountOf({ kind, value, maxDiscount }: PromoTerms, total: Cents): Cents {
  const wanted = kind === 'amount' ? value : Math.min(applyRate(total, value), maxDiscount ?? total);
  return Math.max(0, Math.min(wanted, total - MIN_CARD_CENTS));
}

/** The maximum that the platform pays for all uses; null without a limit. */
export function maximumCostOf({ kind, value, maxDiscount, maxUses }: PromoTerms): Cents | null {
  const each = kind === 'amount' ? value : maxDiscount;
  return maxUses === null || each === null ? null : maxUses * each;
}

/** Why a code takes nothing off. */
export const PROMO_REFUSALS = [
  'promoUnknown',
  'promoOver',
  'promoUsedUp',
  'promoUsedByYou',
  'promoFirstOrder',
  'promoTotalTooLow',
] as const;
export type PromoRefusal = (typeof PROMO_REFUSALS)[number];

export type PromoFacts = {
  readonly now: Date;
  /** The full price of the order. */
  readonly total: Cents;
  /** How often it is used, by all and by this Bud. */
  readonly uses: number;
  readonly usesOfBud: number;
  /** Whether this Bud, or somebody who seems to be them, has ordered before. */
  readonly hasOrdered: boolean;
};

export type PromoVerdict =
  | { readonly ok: true; readonly discount: Cents }
  | { readonly ok: false; readonly why: PromoRefusal; readonly message?: string };

/** Whether a Bud may use a code, and what it takes off. A code that has not begun is as unknown as one that does not exist. */
export function checkPromoTerms(promo: PromoTerms | undefined, facts: PromoFacts): PromoVerdict {
  const why = promo ? whyNot(promo, facts) : 'promoUnknown';
  if (!promo || (why !== undefined && why !== 'promoTotalTooLow')) return { ok: false, why: why ?? 'promoUnknown' };
  const discount = discountOf(promo, facts.total);
  if (why === undefined && discount > 0) return { ok: true, discount };
  const least = Math.max(promo.minTotal, MIN_CARD_CENTS + 1);
  return { ok: false, why: 'promoTotalTooLow', message: `This code is for orders of ${formatDollars(least)} or more` };
}

function whyNot(promo: PromoTerms, facts: PromoFacts): PromoRefusal | undefined {
  const { startsAt, endsAt, endedAt, maxUses, maxUsesPerBud, firstOrderOnly, minTotal } = promo;
  const { now, uses, usesOfBud, hasOrdered, total } = facts;
  if (now < startsAt) return 'promoUnknown';
  if ((endsAt !== null && now >= endsAt) || (endedAt !== null && now >= endedAt)) return 'promoOver';
  if (maxUsesPerBud !== null && usesOfBud >= maxUsesPerBud) return 'promoUsedByYou';
  if (firstOrderOnly && hasOrdered) return 'promoFirstOrder';
  if (maxUses !== null && uses >= maxUses) return 'promoUsedUp';
  return total < minTotal ? 'promoTotalTooLow' : undefined;
}

/** What a price is paid with: by the card, and by the platform for a promo code. */
export type Discounted = { readonly total: Cents; readonly discount: Cents };

/**
 * What a code takes off a part of what it was taken off before: its share, rounded down, and never more than before. So the card
 * pays something of everything that costs something.
 */
export function discountOn(part: Cents, { total, discount }: Discounted): Cents {
  if (total <= 0) return 0;
  return Math.min(discount, Math.floor((discount * Math.max(0, part)) / total));
}

/**
 * What was charged for an order, by the card and by the platform for a promo code (`discount…`). `amount` and `discount` are what
 * was charged. `…Reduced` is the part of it above the price. `…Refunded` is all that went back, and `…Released` the part of that
 * which nobody bears.
 */
export type ChargedInTwo = Readonly<
  Record<'amount' | 'reduced' | 'refunded' | 'released', Cents> &
    Record<'discount' | 'discountReduced' | 'discountRefunded' | 'discountReleased', Cents>
>;

/** What of a price was paid, and what of that went back, by the card and by the platform for a promo code. */
export type PaidInTwo = {
  readonly card: Cents;
  readonly discount: Cents;
  readonly cardRefunded: Cents;
  readonly discountRefunded: Cents;
};

/** The same without what went back because the laundry weighed less, or because a hold could not be lowered. */
export function paidInTwo(charged: ChargedInTwo): PaidInTwo {
  const { amount, reduced, refunded, released } = charged;
  const { discount, discountReduced, discountRefunded, discountReleased } = charged;
  return {
    card: amount - reduced,
    discount: discount - discountReduced,
    cardRefunded: refunded - Math.min(reduced, released),
    discountRefunded: discountRefunded - Math.min(discountReduced, discountReleased),
  };
}

/**
 * What goes back to the platform when `amount` goes back to the card: its share of everything that went back so far. With the last
 * cent of the card, all of it.
 */
export function discountBeside(amount: Cents, paid: PaidInTwo): Cents {
  const { card, discount, cardRefunded, discountRefunded } = paid;
  const share = discountOn(cardRefunded + amount, { total: card, discount });
  return Math.max(0, share - discountRefunded);
}

/**
 * What of a refund without its taxes is a promo code's share. Who compensates a Bud pays what they have agreed to, whatever a code
 * has paid of the order: the platform, to which this part goes back, pays it.
 */
export function codeShareOf({
  amount,
  discount,
  taxes,
}: Readonly<Record<'amount' | 'discount' | 'taxes', Cents>>): Cents {
  const whole = amount + discount;
  return whole === 0 ? 0 : Math.round((discount * (whole - taxes)) / whole);
}

/** Divides what goes back, of everything that was paid, so that what stays has the share of the card that `discountOn` leaves it. */
export function divideGivenBack(amount: Cents, paid: PaidInTwo): { card: Cents; discount: Cents } {
  const { card, discount, cardRefunded, discountRefunded } = paid;
  const left = { card: card - cardRefunded, discount: discount - discountRefunded };
  const kept = left.card + left.discount - amount;
  const wanted = left.card - (kept - discountOn(kept, { total: card + discount, discount }));
  const toCard = Math.min(left.card, amount, Math.max(wanted, amount - left.discount, 0));
  return { card: toCard, discount: amount - toCard };
}
