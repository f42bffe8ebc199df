/** The parts of a price, in dollars. */
export type Price = {
  readonly loadPrice: number;
  readonly delivery: number;
  readonly pickup: number;
  readonly platformFee: number;
  readonly taxes: number;
  readonly totalPrice: number;
};
export const PRICE_PARTS = ['loadPrice', 'delivery', 'pickup', 'platformFee', 'taxes', 'totalPrice'] as const;

type Window = { readonly from: string };
type PricedOrder = {
  readonly loadSize: string;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
};

/** The surcharges of a city for a return on the same day and on the next day, in percent of the load. */
export const SURCHARGES = { 'same-day': 40, 'next-day': 20 } as const;

/** The surcharge for two windows by the dates of UTC, in percent of the load. */
export function surchargeOf(times: { readonly pickup: Window; readonly return: Window } | undefined): number {
  if (!times) return 0;
  const [pickup, back] = [times.pickup.from, times.return.from].map((from) =>
    Date.parse(`${from.slice(0, 10)}T00:00Z`),
  );
  const days = ((back ?? 0) - (pickup ?? 0)) / (24 * 60 * 60_000);
  return days === 0 ? SURCHARGES['same-day'] : days === 1 ? SURCHARGES['next-day'] : 0;
}

/** The load prices of the spec: $2.50 a pound, for 2, 5 and 8 pounds. */
const LOAD_CENTS: Readonly<Record<string, number>> = { Small: 500, Medium: 1_250, Large: 2_000 };
export const DELIVERY_CENTS = 599;

/**
 * What an order costs by default. It does not use the product's formula, because a mistake in it would be in the expected price
 * too. Undefined for sizes that the spec does not price.
 */
export function expectedPrice({ loadSize, selfDelivery, selfPickup }: PricedOrder, surcharge = 0): Price | undefined {
  const normal = LOAD_CENTS[loadSize];
  if (normal === undefined) return undefined;
  const load = normal + Math.round((normal * surcharge) / 100);
  const fee = Math.round(load * 0.1);
  const taxes = Math.round((load + fee) * 0.08);
  // A Bud who brings the laundry needs no pickup, and one who fetches it no delivery.
  const [pickup, delivery] = [selfDelivery, selfPickup].map((isSelf) => (isSelf ? 0 : DELIVERY_CENTS)) as [
    number,
    number,
  ];
  return {
    loadPrice: load / 100,
    delivery: delivery / 100,
    pickup: pickup / 100,
    platformFee: fee / 100,
    taxes: taxes / 100,
    totalPrice: (load + fee + taxes + pickup + delivery) / 100,
  };
}

/** The terms of a promo code as an operator has typed them, in dollars and percent. */
export type PromoTerms = {
  readonly code: string;
  readonly kind: 'amount' | 'percent';
  readonly value: number;
  /** What a percentage takes off at most. */
  readonly maxDiscount?: number;
  /** What an order costs at least. */
  readonly minTotal: number;
  readonly firstOrderOnly: boolean;
  readonly maxUses: number;
  readonly maxUsesPerBud?: number;
};

/** Every card pays at least this much, in dollars. */
export const LEAST_ON_CARD = 1;

/** What a code takes off an order, in dollars. It does not use the product's formula either. */
export function expectedDiscount({ kind, value, maxDiscount }: PromoTerms, total: number): number {
  const cents = Math.round(total * 100);
  const wanted = kind === 'amount' ? Math.round(value * 100) : Math.round((cents * value) / 100);
  const most = maxDiscount === undefined ? cents : Math.round(maxDiscount * 100);
  return Math.max(0, Math.min(wanted, most, cents - LEAST_ON_CARD * 100)) / 100;
}
