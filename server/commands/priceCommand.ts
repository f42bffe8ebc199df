import { type LargerSize, SIZE_POUNDS } from '../../domain/orders.ts';
import { formatDollars, PRICE_ITEMS, type PriceItem } from '../../domain/payments.ts';
import { sizeOfItem, unitOf } from '../../domain/prices.ts';
import type { Tx } from '../db/database.ts';
import { listPrices, setPrice } from '../payments/prices.sql.ts';
import { parseCents } from './amounts.ts';
import { CommandError } from './commandError.ts';

/** `prices`: all of them, and from when they apply. */
export async function showPrices(db: Tx): Promise<string> {
  const lines = (await listPrices(db)).map(
    ({ item, validFrom, value }) =>
      `${item.padEnd(14)} ${formatPrice(item, value).padStart(9)}  from ${validFrom.toISOString()}`,
  );
  return lines.join('\n');
}

/** `price <item> <value> --from <date>` */
export async function setPriceFrom(
  db: Tx,
  [word = '', value = '']: readonly string[],
  from: string | undefined,
): Promise<string> {
  const item = PRICE_ITEMS.find((one) => one === word);
  if (!item) throw new CommandError(`an item is one of ${PRICE_ITEMS.join(', ')}`);
  const validFrom = new Date(from ?? '');
  if (Number.isNaN(validFrom.getTime())) throw new CommandError('--from must be a date, like 2027-01-01');
  if (validFrom < new Date()) throw new CommandError('--from must be in the future: past prices do not change');
  await setPrice(db, { item, validFrom, value: parsePrice(item, value) });
  return `${item} is ${value} from ${validFrom.toISOString()} on.`;
}

function formatPrice(item: PriceItem, value: number): string {
  if (unitOf(item) === 'pounds') return value === 0 ? 'not sold' : `${value} lbs`;
  return unitOf(item) === 'percent' ? `${(value / 100).toFixed(2)} %` : formatDollars(value);
}

function parsePrice(item: PriceItem, value: string): number {
  const size = sizeOfItem(item);
  if (size) return parsePounds(size, value);
  const isPercentage = unitOf(item) === 'percent';
  if (value.endsWith('%') !== isPercentage)
    throw new CommandError(`${item} is ${isPercentage ? 'a rate, like 8.25%' : 'in dollars'}`);
  return parseCents(value.replace('%', ''));
}

/** A size is charged as one of the weights that it takes: more laundry never costs less. */
function parsePounds(size: LargerSize, value: string): number {
  const { from, to } = SIZE_POUNDS[size];
  const pounds = /^\d{1,3}$/.test(value) ? Number(value) : Number.NaN;
  if (pounds === 0 || (pounds >= from && pounds <= to)) return pounds;
  throw new CommandError(`size-${size} is the pounds that are charged, from ${from} to ${to}, or 0 to sell none`);
}
