import { last4Of } from './last4.ts';
import { withoutSeparators } from './typed.ts';

/** A worker's bank account: at a bank of the USA, or with an IBAN. */
export const PAYOUT_METHODS = ['us-bank', 'iban'] as const;
export type PayoutMethodName = (typeof PAYOUT_METHODS)[number];

export type PayoutAccount =
  | {
      readonly method: 'us-bank';
      readonly holder: string;
      readonly routingNumber: string;
      readonly accountNumber: string;
      readonly accountType: 'checking' | 'savings';
    }
  | { readonly method: 'iban'; readonly holder: string; readonly iban: string };

/** Payouts wait for this long after an account was added or changed: its owner has time to notice that it was not them. */
export const PAYOUT_ACCOUNT_WAIT_MS = 7 * 24 * 60 * 60_000;

/** The end of the number, for screens and mails. */
export const lastDigitsOf = (account: PayoutAccount): string =>
  last4Of(account.method === 'iban' ? account.iban : account.accountNumber);

/** What says that two accounts are the same one, whatever their holder is called. */
export const accountKeyOf = (account: PayoutAccount): string =>
  account.method === 'iban' ? account.iban : `${account.routingNumber} ${account.accountNumber}`;

/** Whether nine digits are a routing number of an American bank: the last one is a checksum. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const weights = [3, 7, 1];
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0), 0);
  return sum > 0 && sum % 10 === 0;
}

/** An IBAN as banks write it: capitals, no spaces. */
export const normalizeIban = (text: string): string => withoutSeparators(text).toUpperCase();

/** Whether a normalized text is an IBAN: its two check digits fit the rest (ISO 13616). */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const digits = [...text.slice(4), ...text.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('');
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
