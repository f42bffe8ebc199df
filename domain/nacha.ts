import type { AchOrigin, BankTransfer } from './bankFiles.ts';

const RECORD_LENGTH = 94;
const RECORDS_IN_BLOCK = 10;
/** A batch that only credits. Its entries are PPD: payments to people who have agreed to them. */
const CREDITS_ONLY = '220';
const TRANSACTION_CODES = { checking: '22', savings: '32' } as const;
/** The sum of routing numbers keeps its last ten digits. */
const HASH_LIMIT = 10_000_000_000;

const digits = (value: number, length: number) => String(value).padStart(length, '0');

/** Banks read capitals without accents. */
const words = (value: string, length: number) =>
  value
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .toUpperCase()
    .slice(0, length)
    .padEnd(length);

/**
 * A file of payouts to accounts at banks of the USA, in the format of NACHA: lines of 94 characters in blocks of ten. The same
 * payouts make the same file. Amounts are in cents, at most $99,999,999.99 for each.
 */
export function renderNacha(origin: AchOrigin, transfers: readonly BankTransfer<'us-bank'>[], at: Date): string {
  const date = at.toISOString().slice(2, 10).replaceAll('-', '');
  const time = at.toISOString().slice(11, 16).replace(':', '');
  const bank = origin.routingNumber.slice(0, 8);
  const company = words(origin.companyId, 10);
  const batch = `${bank}${digits(1, 7)}`;
  const total = transfers.reduce((sum, { cents }) => sum + cents, 0);
  const banks = transfers.reduce((sum, { account }) => sum + Number(account.routingNumber.slice(0, 8)), 0);
  const totals = `${digits(banks % HASH_LIMIT, 10)}${digits(0, 12)}${digits(total, 12)}`;
  const records = [
    `101 ${origin.routingNumber}${company}${date}${time}A094101${words(origin.bankName, 23)}${words(origin.companyName, 23)}${words('', 8)}`,
    `5${CREDITS_ONLY}${words(origin.companyName, 16)}${words('', 20)}${company}PPD${words('PAYOUT', 10)}${date}${date}   1${batch}`,
    ...transfers.map((transfer, index) => entryOf(transfer, `${bank}${digits(index + 1, 7)}`)),
    `8${CREDITS_ONLY}${digits(transfers.length, 6)}${totals}${company}${words('', 25)}${batch}`,
  ];
  const blocks = Math.ceil((records.length + 1) / RECORDS_IN_BLOCK);
  records.push(`9${digits(1, 6)}${digits(blocks, 6)}${digits(transfers.length, 8)}${totals}${words('', 39)}`);
  while (records.length < blocks * RECORDS_IN_BLOCK) records.push('9'.repeat(RECORD_LENGTH));
  return records.map((record) => `${record}\r\n`).join('');
}

function entryOf({ id, cents, account }: BankTransfer<'us-bank'>, trace: string): string {
  const { routingNumber, accountNumber, accountType, holder } = account;
  const to = `${TRANSACTION_CODES[accountType]}${routingNumber}${accountNumber.padEnd(17)}`;
  return `6${to}${digits(cents, 10)}${words(id.replaceAll('-', '').slice(-15), 15)}${words(holder, 22)}  0${trace}`;
}
