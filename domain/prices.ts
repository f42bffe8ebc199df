import { MINUTE_MS } from './durations.ts';
import { LARGER_SIZES, type LargerSize, type OrderSize, SIZE_POUNDS } from './orders.ts';
import {
  applyRate,
  type Cents,
  chargedPounds,
  type PriceItem,
  TAX_ROUNDINGS,
  type Tariff,
  toDollars,
} from './payments.ts';
import type { Turnaround } from './windows.ts';

/**
 * A price that is corrected at once holds this much later: an order whose price was read before the correction was stored is older, and
 * is also priced after weighing as it was placed.
 */
export const CORRECTION_AFTER_MS = MINUTE_MS;

/** Who earns a line of a price: the field of the answer that sums their lines, and the account of the ledger that they are credited on. */
export const EARNERS = {
  scrub: { field: 'loadPrice', account: 'scrub' },
  'delivery-duber': { field: 'delivery', account: 'duber' },
  'pickup-duber': { field: 'pickup', account: 'duber' },
  platform: { field: 'platformFee', account: 'platform-revenue' },
  state: { field: 'taxes', account: 'taxes-payable' },
} as const;
export type Earner = keyof typeof EARNERS;

/** The earners of a completed order. The Dubers earn with each delivery. */
export const EARNERS_AT_COMPLETION = ['scrub', 'platform', 'state'] as const satisfies readonly Earner[];
export const DUBERS = ['pickup-duber', 'delivery-duber'] as const satisfies readonly Earner[];

export type PriceField = (typeof EARNERS)[Earner]['field'];
/** What an order costs as people read it: the sum of the lines of each earner. */
export type Price = Readonly<Record<PriceField | 'totalPrice', Cents>>;

/** The parts of a price in the order and with the words in which people read them. */
export const PRICE_PARTS: readonly { readonly field: PriceField; readonly words: string; readonly brief: string }[] = [
  { field: 'loadPrice', words: 'Load', brief: 'load' },
  { field: 'pickup', words: 'Pickup', brief: 'pickup' },
  { field: 'delivery', words: 'Delivery', brief: 'delivery' },
  { field: 'platformFee', words: 'Platform fee', brief: 'fee' },
  { field: 'taxes', words: 'Taxes', brief: 'taxes' },
];

/** The parts of a price with their amounts, in the unit of the price. */
export const partsOf = (price: Price) => PRICE_PARTS.map((part) => ({ ...part, amount: price[part.field] }));

/** The words of the taxes, with their rate in percent where it is known. */
export const taxWords = (percent: number | null): string =>
  percent === null ? 'Taxes' : `Taxes (${formatPercent(percent)})`;

export type PricedOrder = {
  readonly loadSize: OrderSize;
  /** Missing for an order without windows. */
  readonly turnaround?: Turnaround | null | undefined;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
};

type Item = {
  readonly earner: Earner;
  readonly isTaxed: boolean;
  /** Whether the platform takes its share of the item. */
  readonly hasFee: boolean;
  /** What the item costs. `before` are the items above it. */
  readonly cents: (order: PricedOrder, tariff: Tariff, before: readonly PricedItem[]) => Cents;
};
type PricedItem = Omit<Item, 'cents'> & { readonly cents: Cents };

const sum = (items: readonly { readonly cents: Cents }[]): Cents =>
  items.reduce((total, { cents }) => total + cents, 0);

/**
 * Everything that an order can cost, in the order in which it is computed: a share comes after what it is a share of. A hold that is
 * too low lowers the first items first.
 */
const ITEMS = {
  load: {
    ...{ earner: 'scrub', isTaxed: true, hasFee: true },
    cents: ({ loadSize }, tariff) => chargedPounds(loadSize, tariff) * tariff.perPound,
  },
  // The Scrub is fast.
  turnaround: {
    ...{ earner: 'scrub', isTaxed: true, hasFee: true },
    cents: ({ turnaround }, { turnaroundRates = {} }, before) =>
      turnaround && turnaround !== 'standard' ? applyRate(sum(before), turnaroundRates[turnaround] ?? 0) : 0,
  },
  'platform-fee': {
    ...{ earner: 'platform', isTaxed: true, hasFee: false },
    cents: (_, { platformFeeRate }, before) => applyRate(sum(before.filter(({ hasFee }) => hasFee)), platformFeeRate),
  },
  taxes: {
    ...{ earner: 'state', isTaxed: false, hasFee: false },
    cents: (_, { taxRate, taxRounding }, before) => {
      const taxed = before.filter(({ isTaxed }) => isTaxed);
      const rounded = taxRounding === 'line' ? taxed : [{ cents: sum(taxed) }];
      return sum(rounded.map(({ cents }) => ({ cents: applyRate(cents, taxRate) })));
    },
  },
  // A delivery that the Bud does costs nothing.
  pickup: {
    ...{ earner: 'pickup-duber', isTaxed: false, hasFee: false },
    cents: ({ selfDelivery }, { pickup }) => (selfDelivery ? 0 : pickup),
  },
  delivery: {
    ...{ earner: 'delivery-duber', isTaxed: false, hasFee: false },
    cents: ({ selfPickup }, { delivery }) => (selfPickup ? 0 : delivery),
  },
} as const satisfies Record<string, Item>;
export type LineItem = keyof typeof ITEMS;
const IN_ORDER = Object.keys(ITEMS) as readonly LineItem[];

/** One line of the price of an order: something that the Bud pays for, and who earns it. */
export type PriceLine = {
  readonly item: LineItem;
  readonly cents: Cents;
  readonly earner: Earner;
  readonly isTaxed: boolean;
};

/** The lines of the price of an order. An item that costs nothing has none. */
export function linesOfOrder(order: PricedOrder, tariff: Tariff): PriceLine[] {
  const priced: (PricedItem & { readonly item: LineItem })[] = [];
  for (const item of IN_ORDER) {
    const row: Item = ITEMS[item];
    priced.push({ ...row, item, cents: row.cents(order, tariff, priced) });
  }
  return priced
    .filter(({ cents }) => cents > 0)
    .map(({ item, cents, earner, isTaxed }) => ({ item, cents, earner, isTaxed }));
}

export const totalOfLines = (lines: readonly PriceLine[]): Cents => sum(lines);

export const centsOfEarner = (lines: readonly PriceLine[], earner: Earner): Cents =>
  totalOfLines(lines.filter((line) => line.earner === earner));

export const priceOfLines = (lines: readonly PriceLine[]): Price => ({
  ...(Object.fromEntries(
    Object.entries(EARNERS).map(([earner, { field }]) => [field, centsOfEarner(lines, earner as Earner)]),
  ) as Omit<Price, 'totalPrice'>),
  totalPrice: totalOfLines(lines),
});

export const computePrice = (order: PricedOrder, tariff: Tariff): Price => priceOfLines(linesOfOrder(order, tariff));

/** The same price in dollars, as answers have it. */
export const priceInDollars = (price: Price): Price =>
  Object.fromEntries(Object.entries(price).map(([field, cents]) => [field, toDollars(cents)])) as Price;

/** Lowers a price to `most`: first the load and its shares, then the deliveries. */
export function capLines(lines: readonly PriceLine[], most: Cents): PriceLine[] {
  let excess = Math.max(0, totalOfLines(lines) - most);
  return lines
    .toSorted((a, b) => IN_ORDER.indexOf(a.item) - IN_ORDER.indexOf(b.item))
    .map((line) => {
      const cut = Math.min(line.cents, excess);
      excess -= cut;
      return { ...line, cents: line.cents - cut };
    })
    .filter(({ cents }) => cents > 0);
}

/** The lines of laundry that goes back unwashed: the deliveries only. */
export const linesOfTrips = (lines: readonly PriceLine[]): PriceLine[] =>
  lines.filter(({ earner }) => (DUBERS as readonly Earner[]).includes(earner));

/** The unit in which people write the value of an item. The database has cents, hundredths of a percent, pounds, and the index in TAX_ROUNDINGS. */
export const PRICE_UNITS = ['dollars', 'percent', 'pounds', 'rounding'] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];

/** The size whose pounds are charged, when the item is one. */
export const sizeOfItem = (item: PriceItem): LargerSize | undefined =>
  LARGER_SIZES.find((size) => item === `size-${size}`);

const PERCENTS: readonly PriceItem[] = ['platform-fee', 'taxes', 'next-day', 'same-day'];

export function unitOf(item: PriceItem): PriceUnit {
  if (sizeOfItem(item)) return 'pounds';
  if (item === 'tax-rounding') return 'rounding';
  return PERCENTS.includes(item) ? 'percent' : 'dollars';
}

const MOST_DOLLARS = 10_000;

/** Why an item cannot have a value, in the unit of people. */
export function findPriceProblem(item: PriceItem, value: number): string | undefined {
  const size = sizeOfItem(item);
  if (size) {
    const { from, to } = SIZE_POUNDS[size];
    const isSold = Number.isInteger(value) && value >= from && value <= to;
    // More laundry never costs less.
    return isSold || value === 0 ? undefined : `Whole pounds from ${from} to ${to}, or 0 to sell none`;
  }
  const unit = unitOf(item);
  if (unit === 'rounding')
    return TAX_ROUNDINGS[value] === undefined ? '0 for the whole order, or 1 for each line' : undefined;
  const [most, decimals, words] = unit === 'percent' ? [100, 3, '%'] : [MOST_DOLLARS, 2, 'dollars'];
  if (Number(value.toFixed(decimals)) !== value) return `At most ${decimals} decimals`;
  return value >= 0 && value <= most ? undefined : `From 0 to ${most} ${words}`;
}

const isWhole = (item: PriceItem): boolean => unitOf(item) === 'pounds' || unitOf(item) === 'rounding';

/** In cents, or in hundredths of a percent with one decimal at most. */
export function toStoredPrice(item: PriceItem, value: number): number {
  if (isWhole(item)) return value;
  return unitOf(item) === 'percent' ? Math.round(value * 1000) / 10 : Math.round(value * 100);
}

export function fromStoredPrice(item: PriceItem, stored: number): number {
  if (isWhole(item)) return stored;
  return unitOf(item) === 'percent' ? percentOf(stored) : stored / 100;
}

/** A rate in percent. */
export const percentOf = (rate: number): number => Math.round(rate * 10) / 1000;

/** 8.25% or 8.875%: with two decimals, or three where it has them. */
export const formatPercent = (percent: number): string => `${percent.toFixed(3).replace(/0$/, '')}%`;

/** How the tax is rounded, as people read it. */
export const ROUNDING_WORDS = ['once for the order', 'for each line'] as const;
