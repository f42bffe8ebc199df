import type { PriceItem } from '../../../domain/payments.ts';
import { findPriceProblem, fromStoredPrice, toStoredPrice } from '../../../domain/prices.ts';
import type { Tx } from '../../db/database.ts';
import { refuseProperty } from '../../http/refusals.ts';
import { readPrices, setPrice } from './prices.ts';

/** A price in the unit of people. */
type NewPrice = { readonly item: PriceItem; readonly value: number };

/** Refuses values that an item cannot have, and two prices of one item. */
export function refuseWrongPrices(prices: readonly NewPrice[]): void {
  if (new Set(prices.map(({ item }) => item)).size < prices.length)
    refuseProperty('prices', 'isUnique', 'One price for each item');
  for (const { item, value } of prices) {
    const problem = findPriceProblem(item, value);
    if (problem) refuseProperty(item, 'isPrice', problem);
  }
}

/** Sets prices of the town from a time on. Returns the values that they replace; null for an item that had none. */
export async function changePrices(
  tx: Tx,
  prices: readonly NewPrice[],
  validFrom: Date,
): Promise<Partial<Record<PriceItem, number | null>>> {
  const known = await readPrices(tx, validFrom);
  const before: Partial<Record<PriceItem, number | null>> = {};
  for (const { item, value } of prices) {
    const current = known.find((price) => price.item === item);
    before[item] = current === undefined ? null : fromStoredPrice(item, current.value);
    await setPrice(tx, { item, validFrom, value: toStoredPrice(item, value) });
  }
  return before;
}
