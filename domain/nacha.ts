import type { BankTransfer } from './payoutAccounts.ts';

/** Who pays, as the bank has it on file. */
export type AchOrigin = {
  /** The routing number of the town's bank. */
  readonly routingNumber: string;
  readonly bankName: string;
  readonly companyName: string;
  /** Ten signs that the bank has given the town. */
  readonly companyId: string;
};

const RECORD_LENGTH = 94;
const BLOCK_RECORDS = 10;
/** Credits to people: PPD entries of a batch that only credits. */
const SERVICE_CLASS = '220';
const TRANSACTION_CODES = { checking: '22', savings: '32' } as const;
/** The sum of routing numbers keeps its last ten digits. */
const HASH_LIMIT = 10_000_000_000;

const number = (value: number | string, length: number) => String(value).padStart(length, '0');

/** Banks read capitals without accents. */
const text = (value: string, length: number) =>
  value
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .toUpperCase()
    .slice(0, length)
    .padEnd(length);

/** A file of transfers to American accounts, in the format of NACHA. The same transfers make the same file. */
export function renderNacha(origin: AchOrigin, transfers: readonly BankTransfer[], at: Date): string {
  const [date, time] = [
    at.toISOString().slice(2, 10).replaceAll('-', ''),
    at.toISOString().slice(11, 16).replace(':', ''),
  ];
  const originBank = origin.routingNumber.slice(0, 8);
  const entries = transfers.map(({ id, cents, account }, index) => {
    if (account.method !== 'us-bank') throw new Error('a NACHA file has American accounts only');
    const { routingNumber, accountNumber, accountType, holder } = account;
    return {
      cents,
      bank: Number(routingNumber.slice(0, 8)),
      record: [
        `6${TRANSACTION_CODES[accountType]}${routingNumber}${accountNumber.padEnd(17)}${number(cents, 10)}`,
        `${text(id.slice(-15), 15)}${text(holder, 22)}  0${originBank}${number(index + 1, 7)}`,
      ].join(''),
    };
  });
  const total = entries.reduce((sum, { cents }) => sum + cents, 0);
  const hash = number(entries.reduce((sum, { bank }) => sum + bank, 0) % HASH_LIMIT, 10);
  const company = text(origin.companyId, 10);
  const header = [
    `101 ${origin.routingNumber}${company}${date}${time}A094101`,
    `${text(origin.bankName, 23)}${text(origin.companyName, 23)}${text('', 8)}`,
  ].join('');
  const batchHeader = [
    `5${SERVICE_CLASS}${text(origin.companyName, 16)}${text('', 20)}${company}PPD${text('PAYOUT', 10)}`,
    `${date}${date}   1${originBank}${number(1, 7)}`,
  ].join('');
  const totals = `${number(0, 12)}${number(total, 12)}`;
  const batchControl = [
    `8${SERVICE_CLASS}${number(entries.length, 6)}${hash}${totals}${company}`,
    `${text('', 25)}${originBank}${number(1, 7)}`,
  ].join('');
  const count = entries.length + 4;
  const blocks = Math.ceil(count / BLOCK_RECORDS);
  const control = `9${number(1, 6)}${number(blocks, 6)}${number(entries.length, 8)}${hash}${totals}${text('', 39)}`;
  const padding = Array.from({ length: blocks * BLOCK_RECORDS - count }, () => '9'.repeat(RECORD_LENGTH));
  const records = [header, batchHeader, ...entries.map(({ record }) => record), batchControl, control, ...padding];
  return records.map((record) => `${record}\r\n`).join('');
}
