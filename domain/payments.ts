import { isLargerSize, LARGER_SIZES, type LargerSize, LOAD_POUNDS, ORDER_SIZES, type OrderSize } from './orders.ts';
import type { Turnaround } from './windows.ts';

/** Whole cents. Only the API has fractions, in dollars. */
export type Cents = number;

/** The turnarounds that may cost more. */
export const FAST_TURNAROUNDS = ['next-day', 'same-day'] as const satisfies readonly Turnaround[];
export type FastTurnaround = (typeof FAST_TURNAROUNDS)[number];

/** Taxes are rounded once for an order, or for each of its taxed lines: the load and the platform fee. */
export const TAX_ROUNDINGS = ['order', 'line'] as const;
export type TaxRounding = (typeof TAX_ROUNDINGS)[number];

/** What an installation charges. Rates are in hundredths of a percent, with one decimal at most. The tariff of a time is in the table `prices`. */
export type Tariff = {
  readonly perPound: Cents;
  readonly pickup: Cents;
  readonly delivery: Cents;
  readonly platformFeeRate: number;
  readonly taxRate: number;
  /** Once for the order, where it is missing. */
  readonly taxRounding?: TaxRounding;
  /** The surcharge for laundry that is back on the day of its pickup, or on the day after: a rate of its load. */
  readonly turnaroundRates?: Readonly<Partial<Record<FastTurnaround, number>>>;
  /** The pounds of each larger size that are charged. A size that is missing or 0 is not sold. */
  readonly largerSizes?: Readonly<Partial<Record<LargerSize, number>>>;
};

/** The services that are priced by the pound. All orders are wash and fold so far. */
export const SERVICES = ['wash-and-fold', 'dry-cleaning', 'delicate'] as const;
export type Service = (typeof SERVICES)[number];

/**
 * The dated amounts of an installation: cents per pound or per delivery, rates in hundredths of a percent, how taxes are rounded
 * (the place in TAX_ROUNDINGS), what a claim can be given at most, and the pounds of each larger size that are charged.
 */
export const PRICE_ITEMS = [
  ...SERVICES,
  'pickup',
  'delivery',
  'platform-fee',
  'taxes',
  'tax-rounding',
  'claim-garment',
  'claim-order',
  ...LARGER_SIZES.map((size) => `size-${size}` as const),
  ...FAST_TURNAROUNDS,
] as const;
export type PriceItem = (typeof PRICE_ITEMS)[number];

/** A share of an amount in whole cents, rounded half up. `rate` is in hundredths of a percent, with one decimal at most. */
export function applyRate(amount: Cents, rate: number): Cents {
  // In whole thousandths of a percent, because fractions like 887.3 are not exact.
  return Math.floor((amount * Math.round(rate * 10) + 50_000) / 100_000);
}

/** The pounds of a size that are charged; 0 when it is not sold. */
export const chargedPounds = (size: OrderSize, { largerSizes = {} }: Pick<Tariff, 'largerSizes'>): number =>
  isLargerSize(size) ? (largerSizes[size] ?? 0) : LOAD_POUNDS[size].to;

/** The sizes that are sold, the smallest first. */
export const soldSizes = (tariff: Pick<Tariff, 'largerSizes'>): OrderSize[] =>
  ORDER_SIZES.filter((size) => chargedPounds(size, tariff) > 0);

/** The parts of a delivery's price for display: 80 % base, 15 % distance, 5 % service (spec 9). They add up to the price. */
export function splitDeliveryPrice(price: Cents): { base: Cents; distance: Cents; service: Cents } {
  const distance = applyRate(price, 1500);
  const service = applyRate(price, 500);
  return { base: price - distance - service, distance, service };
}

export function toDollars(cents: Cents): number {
  return cents / 100;
}

export function toCents(dollars: number): Cents {
  return Math.round(dollars * 100);
}

/** $12.50, as mails and refusals say an amount. */
export const formatDollars = (cents: Cents): string => `$${(cents / 100).toFixed(2)}`;

/**
 * The state of a payment. In `holding` the card network has not confirmed the hold yet; `held` is a hold on the card. The
 * worker retries `capturing` and `voiding` until they are done; `stuck` needs an operator.
 */
export const PAYMENT_STATES = [
  'holding',
  'held',
  'capturing',
  'captured',
  'voiding',
  'voided',
  'declined',
  'stuck',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** The worker retries `asking` and `pending`; `stuck` needs an operator, who may drop it. */
export const REFUND_STATES = ['asking', 'pending', 'refunded', 'stuck', 'dropped'] as const;
export type RefundState = (typeof REFUND_STATES)[number];
