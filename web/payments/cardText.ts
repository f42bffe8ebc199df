import type { SavedCard } from '../../contract/savedCards.ts';
import type { Expiry } from '../../domain/savedCards.ts';

/** The parts of a card network's name for a brand that are not plain words. */
const BRAND_NAMES: Readonly<Record<string, string>> = { JCB: 'JCB', OTHER_BRAND: 'Card', CHINA_UNIONPAY: 'UnionPay' };

const inWords = (name: string) =>
  name
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** 'Visa ending in 1111'. */
export function describeCard({ brand, last4 }: Pick<SavedCard, 'brand' | 'last4'>): string {
  const name = brand === null ? 'Card' : (BRAND_NAMES[brand] ?? inWords(brand));
  return last4 === null ? name : `${name} ending in ${last4}`;
}

const EXPIRY_TEXTS: Record<Expiry, string> = { fine: 'Expires', soon: 'Expires soon:', over: 'Expired' };

/** 'Expires 12/45'; undefined while the date is not known. */
export function describeExpiry({
  expMonth,
  expYear,
  expiry,
}: Pick<SavedCard, 'expMonth' | 'expYear' | 'expiry'>): string | undefined {
  if (expMonth === null || expYear === null) return undefined;
  return `${EXPIRY_TEXTS[expiry]} ${String(expMonth).padStart(2, '0')}/${String(expYear % 100).padStart(2, '0')}`;
}
