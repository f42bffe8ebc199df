import { LARGER_SIZES, type LargerSize } from '../../domain/orders.ts';
import type { PriceItem } from '../../domain/payments.ts';
import type { PolicyName, Preset } from '../../domain/policies.ts';
import { formatPercent, type PriceUnit, ROUNDING_WORDS, unitOf } from '../../domain/prices.ts';
import { formatMoney } from '../ui/formatMoney.ts';

type ItemTexts = { readonly name: string; readonly per?: string; readonly note?: string };

const ITEMS: Readonly<Record<PriceItem, ItemTexts>> = {
  'wash-and-fold': { name: 'Wash and fold', per: 'per pound' },
  'dry-cleaning': { name: 'Dry cleaning', per: 'per pound', note: ' (not sold yet)' },
  delicate: { name: 'Delicate', per: 'per pound', note: ' (not sold yet)' },
  pickup: { name: 'Pickup by a Duber' },
  delivery: { name: 'Delivery by a Duber' },
  'platform-fee': { name: 'Platform fee', per: 'of the load' },
  taxes: { name: 'Taxes', per: 'of the load and the fee' },
  'tax-rounding': { name: 'Taxes are rounded' },
  'claim-garment': { name: 'Most a claim refunds for one item' },
  'claim-order': { name: 'Most a claim refunds for one order' },
  ...(Object.fromEntries(
    LARGER_SIZES.map((size) => [`size-${size}`, { name: `Size ${size} is charged as` }]),
  ) as Record<`size-${LargerSize}`, ItemTexts>),
  'next-day': { name: 'Back on the next day', per: 'of the load' },
  'same-day': { name: 'Back on the same day', per: 'of the load' },
};

export const ITEM_NAMES = Object.fromEntries(
  Object.entries(ITEMS).map(([item, { name, per, note = '' }]) => [item, (per ? `${name}, ${per}` : name) + note]),
) as Readonly<Record<PriceItem, string>>;

/** '$2.50 → $3.00', or only the new value where the old one is not known. */
export const arrowText = (before: string | undefined, after: string): string =>
  before === undefined ? after : `${before} → ${after}`;

/** 'Wash and fold $2.50 → $3.00 per pound' */
export function priceChangeText(item: PriceItem, before: number | undefined, after: number): string {
  const text = (value: number) => priceText(unitOf(item), value);
  const { name, per } = ITEMS[item];
  const change = arrowText(before === undefined ? undefined : text(before), text(after));
  return [name, change, per].filter(Boolean).join(' ');
}

/** A value as people say it. */
export function priceText(unit: PriceUnit, value: number): string {
  if (unit === 'percent') return formatPercent(value);
  if (unit === 'rounding') return ROUNDING_WORDS[value] ?? '';
  if (unit === 'dollars') return formatMoney(value);
  return value === 0 ? 'Not sold' : `${value} lbs`;
}

export const UNIT_LABELS: Readonly<Record<PriceUnit, string>> = {
  dollars: 'New price, in dollars',
  percent: 'New rate, in percent',
  pounds: 'Charged as, in pounds (0 to sell none)',
  rounding: 'Round taxes',
};

export const POLICY_TITLES: Readonly<Record<PolicyName, string>> = {
  privacy: 'Who sees names and addresses',
  silence: 'Dubers who don’t respond',
  start: 'When work may start',
  weighing: 'Weighing',
  proof: 'When laundry changes hands',
  admission: 'Who may work',
};

export const PRESET_LABELS: Readonly<Record<Preset, string>> = { open: 'Open', careful: 'Careful' };
