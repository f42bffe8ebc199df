import type { Cents } from './payments.ts';
import { withoutSeparators } from './typed.ts';

/**
 * The tax number of a worker: a Social Security Number, an Employer Identification Number or an Individual Taxpayer
 * Identification Number of the USA, or the number of another country, which DAC7 calls TIN.
 */
export const TAX_ID_KINDS = ['ssn', 'ein', 'itin', 'tin'] as const;
export type TaxIdKind = (typeof TAX_ID_KINDS)[number];
export type AmericanTaxIdKind = Exclude<TaxIdKind, 'tin'>;

export type TaxId = {
  readonly kind: TaxIdKind;
  /** Two letters, such as US. */
  readonly country: string;
  /** As on the tax return. */
  readonly name: string;
  /** Normalized. */
  readonly number: string;
};

/** What says that two tax numbers are the same one: the number of a country. */
export const taxKeyOf = ({ country, number }: Pick<TaxId, 'country' | 'number'>): string => `${country} ${number}`;

/** A number without what people write between its parts. */
export const normalizeTaxNumber = (text: string): string =>
  withoutSeparators(text).replaceAll(/[./]/g, '').toUpperCase();

/** Numbers of advertisements, which the Social Security Administration never gives to anybody. */
const ADVERTISED = ['078051120', '219099999'];

/** The first two digits that the Internal Revenue Service gives: no others are an EIN. */
const EIN_PREFIX = /^(?:0[1-6]|1[0-6]|2[0-7]|3\d|4[0-8]|5\d|6[0-8]|7[1-7]|8[0-8]|9[0-589])/;
/** The fourth and fifth digit of an ITIN. */
const ITIN_GROUP = /^(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])$/;

function isSsn(number: string): boolean {
  const [area, group, serial] = [number.slice(0, 3), number.slice(3, 5), number.slice(5)];
  const isArea = area !== '000' && area !== '666' && !area.startsWith('9');
  return isArea && group !== '00' && serial !== '0000' && !ADVERTISED.includes(number);
}

/** Other countries have many forms (Mexico writes Ñ and &): only what cannot be a number anywhere is refused. */
function isForeignNumber(number: string): boolean {
  const digits = number.replaceAll(/\D/g, '').length;
  return /^[A-Z0-9Ñ&]{5,20}$/.test(number) && digits >= 4 && new Set(number).size > 1;
}

/** Whether a normalized text can be a number of a kind. It cannot be known whether it is somebody's. */
export function isTaxNumber(kind: TaxIdKind, number: string): boolean {
  if (kind === 'tin') return isForeignNumber(number);
  if (!/^\d{9}$/.test(number)) return false;
  if (kind === 'ssn') return isSsn(number);
  if (kind === 'ein') return EIN_PREFIX.test(number) && number.slice(2) !== '0000000';
  return number.startsWith('9') && ITIN_GROUP.test(number.slice(3, 5));
}

/** A number as its country writes it. Between dashes, no spreadsheet takes an American one for a sum and drops its zeros. */
export function formatTaxNumber({ kind, number }: Pick<TaxId, 'kind' | 'number'>): string {
  if (kind === 'tin') return number;
  if (kind === 'ein') return `${number.slice(0, 2)}-${number.slice(2)}`;
  return `${number.slice(0, 3)}-${number.slice(3, 5)}-${number.slice(5)}`;
}

/**
 * From which sum on a year's payments to a worker must be reported (1099-NEC of the USA): $600, and $2,000 since 2026. From 2027
 * on the law raises it with prices. Until that is added here, it asks for a few numbers more than it must.
 */
export const reportedFrom = (year: number): Cents => (year < 2026 ? 60_000 : 200_000);
