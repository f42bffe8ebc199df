import type { AchOrigin, BankFileDate, BankTransfer } from './bankFiles.ts';

const RECORD_LENGTH = 94;
const RECORDS_IN_BLOCK = 10;
/** A batch that only credits. Its entries are PPD: payments to people who have agreed to them. */
const CREDITS_ONLY = '220';
const TRANSACTION_CODES = { checking: '22', savings: '32' } as const;
/** The sum of routing numbers keeps its last ten digits. */
const HASH_LIMIT = 10_000_000_000;
/** Tells the files of a day apart. */
const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Trace numbers have seven digits: two for the file of the day, and five for the entry. */
const ENTRIES_OF_FILE = 100_000;
const FILES_OF_DAY = 100;

const digits = (value: number, length: number) => String(value).padStart(length, '0');

/** Latin letters that are no letter with an accent, as passports write them. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ Ł: 'L', Ø: 'O', Đ: 'D', Ð: 'D', Þ: 'TH', ẞ: 'SS', Æ: 'AE', Œ: 'OE', Ħ: 'H', Ŧ: 'T', Ŋ: 'N' },
  ...{ Ə: 'E', Ɛ: 'E', Ɔ: 'O', Ɓ: 'B', Ɗ: 'D', Ƙ: 'K', Ƴ: 'Y', '‘': "'", '’': "'", '–': '-', '—': '-' },
};

/** Banks read capitals without accents. What they cannot read is left out. */
export const toBankLetters = (value: string): string =>
  [...value.normalize('NFKD').toUpperCase()]
    .map((sign) => LATIN[sign] ?? sign)
    .join('')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim();

/** Whether the banks of the USA can read a name at all: it has Latin letters. */
export const hasBankLetters = (name: string): boolean => /[A-Z]/.test(toBankLetters(name));

const words = (value: string, length: number) => toBankLetters(value).slice(0, length).padEnd(length);

/** A transfer and its place in the file, from 1. */
export type NachaEntry = BankTransfer<'us-bank'> & { readonly place: number };

/**
 * A file of payouts to accounts at banks of the USA, in the format of NACHA: lines of 94 characters in blocks of ten. The same
 * payouts make the same file. Amounts are in cents, at most $99,999,999.99 for each.
 */
export function renderNacha(
  origin: AchOrigin,
  transfers: readonly NachaEntry[],
  { date, time, paidOn, number }: BankFileDate,
): string {
  const bank = origin.routingNumber.slice(0, 8);
  const company = words(origin.companyId, 10);
  const batch = `${bank}${digits(number, 7)}`;
  const total = transfers.reduce((sum, { cents }) => sum + cents, 0);
  const banks = transfers.reduce((sum, { account }) => sum + Number(account.routingNumber.slice(0, 8)), 0);
  const totals = `${digits(banks % HASH_LIMIT, 10)}${digits(0, 12)}${digits(total, 12)}`;
  const modifier = MODIFIERS.charAt((number - 1) % MODIFIERS.length);
  const first = ((number - 1) % FILES_OF_DAY) * ENTRIES_OF_FILE;
  const names = `${words(origin.bankName, 23)}${words(origin.companyName, 23)}${words('', 8)}`;
  // Without a date that describes it, which some banks read as the day to pay on.
  const description = `${words('PAYOUT', 10)}${words('', 6)}${shortDate(paidOn)}`;
  const entries = transfers.flatMap((transfer) => entryOf(transfer, `${bank}${digits(first + transfer.place, 7)}`));
  const records = [
    `101 ${origin.routingNumber}${company}${shortDate(date)}${time.replace(':', '')}${modifier}094101${names}`,
    `5${CREDITS_ONLY}${words(origin.companyName, 16)}${words('', 20)}${company}PPD${description}   1${batch}`,
    ...entries,
    `8${CREDITS_ONLY}${digits(entries.length, 6)}${totals}${company}${words('', 25)}${batch}`,
  ];
  const blocks = Math.ceil((records.length + 1) / RECORDS_IN_BLOCK);
  records.push(`9${digits(1, 6)}${digits(blocks, 6)}${digits(entries.length, 8)}${totals}${words('', 39)}`);
  while (records.length < blocks * RECORDS_IN_BLOCK) records.push('9'.repeat(RECORD_LENGTH));
  return records.map((record) => `${record}\r\n`).join('');
}

/** 2026-11-23 becomes 261123. */
const shortDate = (date: string) => date.slice(2).replaceAll('-', '');

/** An entry, and its addenda record when it has a reference. The counts of a file include both. */
function entryOf({ id, cents, account, reference }: BankTransfer<'us-bank'>, trace: string): string[] {
  const { routingNumber, accountNumber, accountType, holder } = account;
  const to = `${TRANSACTION_CODES[accountType]}${routingNumber}${accountNumber.padEnd(17)}`;
  const whom = `${words(id.replaceAll('-', '').slice(-15), 15)}${words(holder, 22)}`;
  const entry = `6${to}${digits(cents, 10)}${whom}  ${reference === undefined ? 0 : 1}${trace}`;
  return reference === undefined ? [entry] : [entry, `705${words(reference, 80)}0001${trace.slice(-7)}`];
}
