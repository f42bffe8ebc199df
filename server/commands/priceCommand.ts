import { formatDollars, PRICE_ITEMS, type PriceItem, TAX_ROUNDINGS, type TaxRounding } from '../../domain/payments.ts';
import {
  findPriceProblem,
  formatPercent,
  type PriceUnit,
  percentOf,
  ROUNDING_WORDS,
  toStoredPrice,
  unitOf,
} from '../../domain/prices.ts';
import type { Tx } from '../db/database.ts';
import { listPrices, setPrice } from '../payments/prices/prices.sql.ts';
import { CommandError } from './commandError.ts';

/** `prices`: all of them, and from when they apply. */
export async function showPrices(db: Tx): Promise<string> {
  const lines = (await listPrices(db)).map(
    ({ item, validFrom, value }) =>
      `${item.padEnd(14)} ${formatPrice(item, value).padStart(9)}  from ${validFrom.toISOString()}`,
  );
  return lines.join('\n');
}

/** `price <item> <value> [--from <date>]`, before there are operators: from now on, or from a date in the future. */
export async function setPriceFrom(
  db: Tx,
  [word = '', value = '']: readonly string[],
  { from, now }: { from: string | undefined; now: Date },
): Promise<string> {
  const item = PRICE_ITEMS.find((one) => one === word);
  if (!item) throw new CommandError(`an item is one of ${PRICE_ITEMS.join(', ')}`);
  const validFrom = from === undefined ? now : new Date(from);
  if (Number.isNaN(validFrom.getTime())) throw new CommandError('--from must be a date, like 2027-01-01');
  if (validFrom < now) throw new CommandError('--from must be in the future: past prices do not change');
  await setPrice(db, { item, validFrom, value: toStoredPrice(item, readTypedPrice(item, value)) });
  return `${item} is ${value} from ${validFrom.toISOString()} on.`;
}

function formatPrice(item: PriceItem, value: number): string {
  if (unitOf(item) === 'pounds') return value === 0 ? 'not sold' : `${value} lbs`;
  if (unitOf(item) === 'rounding') return ROUNDING_WORDS[value] ?? String(value);
  return unitOf(item) === 'percent' ? formatPercent(percentOf(value)) : formatDollars(value);
}

const EXAMPLES: Readonly<Record<PriceUnit, string>> = {
  dollars: 'in dollars, like 2.75',
  percent: 'a rate, like 8.875%',
  pounds: 'a number of pounds, like 15',
  rounding: TAX_ROUNDINGS.join(' or '),
};
const FORMS: Readonly<Record<Exclude<PriceUnit, 'rounding'>, RegExp>> = {
  dollars: /^\$?\d+(\.\d+)?$/,
  percent: /^\d+(\.\d+)?%$/,
  pounds: /^\d+$/,
};

/** A value as somebody types it, in the unit of people. Throws CommandError. */
export function readTypedPrice(item: PriceItem, typed: string): number {
  const unit = unitOf(item);
  const isOfUnit = unit === 'rounding' ? TAX_ROUNDINGS.some((one) => one === typed) : FORMS[unit].test(typed);
  if (!isOfUnit) throw new CommandError(`${item} is ${EXAMPLES[unit]}`);
  const value = unit === 'rounding' ? TAX_ROUNDINGS.indexOf(typed as TaxRounding) : Number(typed.replace(/[$%]/g, ''));
  const problem = findPriceProblem(item, value);
  if (problem) throw new CommandError(`${item}: ${problem}`);
  return value;
}
