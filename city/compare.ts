import { PRICE_ITEMS, type PriceItem } from '../domain/payments.ts';
import { findPriceProblem, toStoredPrice } from '../domain/prices.ts';
import { type CityOptions, OptionError, type PriceChanges } from './options.ts';

const COUNTS = ['buds', 'scrubs', 'dubers', 'windows', 'pounds'] as const;
type Count = (typeof COUNTS)[number];

const isCount = (name: string): name is Count => (COUNTS as readonly string[]).includes(name);
const isPriceItem = (name: string): name is PriceItem => (PRICE_ITEMS as readonly string[]).includes(name);

/**
 * The options of a second run that differs in some settings: "dubers=8,pickup=4.50". The seed is the same, so everybody has
 * the same home and the same character. Throws OptionError.
 */
export function applySettings(options: CityOptions, changes: string): CityOptions {
  return changes.split(',').reduce((changed, change) => applyChange(changed, change.trim()), options);
}

function applyChange(options: CityOptions, change: string): CityOptions {
  const [name = '', text = ''] = change.split('=');
  const value = Number(text);
  if (name === 'policy' && (text === 'open' || text === 'careful')) return { ...options, policy: text };
  if (isCount(name) && Number.isInteger(value) && value >= 1) return { ...options, [name]: value };
  if (isPriceItem(name) && text.trim() !== '') {
    const problem = Number.isFinite(value) ? findPriceProblem(name, value) : 'A number is needed';
    if (problem) throw new OptionError(`${name}=${text}: ${problem}`);
    return { ...options, prices: { ...options.prices, [name]: value } };
  }
  const names = [...COUNTS, 'policy', ...PRICE_ITEMS].join(', ');
  throw new OptionError(`--what-if takes changes like dubers=8,pickup=4.50, not "${change}". Names: ${names}`);
}

/** The prices as they are stored. */
export const storedPrices = (prices: PriceChanges): { item: PriceItem; value: number }[] =>
  PRICE_ITEMS.flatMap((item) => {
    const value = prices[item];
    return value === undefined ? [] : [{ item, value: toStoredPrice(item, value) }];
  });
