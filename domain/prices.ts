import { LARGER_SIZES, type LargerSize, SIZE_POUNDS } from './orders.ts';
import type { PriceItem } from './payments.ts';

/** What the value of an item is, as people say it. Stored are cents, hundredths of a percent, and pounds. */
export type PriceUnit = 'dollars' | 'percent' | 'pounds';

/** The size whose pounds are charged, when the item is one. */
export const sizeOfItem = (item: PriceItem): LargerSize | undefined =>
  LARGER_SIZES.find((size) => item === `size-${size}`);

export function unitOf(item: PriceItem): PriceUnit {
  if (sizeOfItem(item)) return 'pounds';
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
  if (Math.abs(value * 100 - Math.round(value * 100)) > 1e-6) return 'At most 2 decimals';
  const [most, unit] = unitOf(item) === 'percent' ? [100, '%'] : [MOST_DOLLARS, 'dollars'];
  return value >= 0 && value <= most ? undefined : `From 0 to ${most} ${unit}`;
}

export const toStoredPrice = (item: PriceItem, value: number): number =>
  unitOf(item) === 'pounds' ? value : Math.round(value * 100);

export const fromStoredPrice = (item: PriceItem, stored: number): number =>
  unitOf(item) === 'pounds' ? stored : stored / 100;
