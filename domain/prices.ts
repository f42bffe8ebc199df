import { LARGER_SIZES, type LargerSize, SIZE_POUNDS } from './orders.ts';
import { type PriceItem, TAX_ROUNDINGS } from './payments.ts';

/** The unit in which people write the value of an item. The database has cents, hundredths of a percent, pounds, and the index in TAX_ROUNDINGS. */
export const PRICE_UNITS = ['dollars', 'percent', 'pounds', 'rounding'] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];

/** The size whose pounds are charged, when the item is one. */
export const sizeOfItem = (item: PriceItem): LargerSize | undefined =>
  LARGER_SIZES.find((size) => item === `size-${size}`);

export function unitOf(item: PriceItem): PriceUnit {
  if (sizeOfItem(item)) return 'pounds';
  if (item === 'tax-rounding') return 'rounding';
  return item === 'platform-fee' || item === 'taxes' ? 'percent' : 'dollars';
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

/** What is rounded, as people read it. */
export const ROUNDING_WORDS = ['once for the order', 'for each line'] as const;
