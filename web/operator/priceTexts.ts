import { LARGER_SIZES, type LargerSize } from '../../domain/orders.ts';
import type { PriceItem } from '../../domain/payments.ts';
import type { PolicyName, Preset } from '../../domain/policies.ts';
import { formatPercent, type PriceUnit, ROUNDING_WORDS } from '../../domain/prices.ts';
import { formatMoney } from '../ui/formatMoney.ts';

export const ITEM_NAMES: Readonly<Record<PriceItem, string>> = {
  'wash-and-fold': 'Wash and fold, a pound',
  'dry-cleaning': 'Dry cleaning, a pound (not sold yet)',
  delicate: 'Delicate, a pound (not sold yet)',
  pickup: 'Pickup by a Duber',
  delivery: 'Delivery by a Duber',
  'platform-fee': 'Platform fee, of the load',
  taxes: 'Taxes, of the load and the fee',
  'tax-rounding': 'Taxes are rounded',
  'claim-garment': 'Most a claim refunds for one item',
  'claim-order': 'Most a claim refunds for one order',
  ...(Object.fromEntries(LARGER_SIZES.map((size) => [`size-${size}`, `Size ${size} is charged as`])) as Record<
    `size-${LargerSize}`,
    string
  >),
};

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
