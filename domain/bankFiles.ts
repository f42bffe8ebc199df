import type { PayoutAccount } from './payoutAccounts.ts';

/** The formats for banks of the USA, and for accounts with an IBAN. */
export const BANK_FORMATS = ['nacha', 'iso-20022'] as const;
export type BankFormat = (typeof BANK_FORMATS)[number];

export const isBankFormat = (format: string): format is BankFormat => BANK_FORMATS.some((known) => known === format);

/** The files of a batch of payouts: a table with everyone, a table with those in no other file, and the formats for banks. */
export const BANK_FILES = ['csv', 'csv-rest', ...BANK_FORMATS] as const;
export type BankFile = (typeof BANK_FILES)[number];

/** When a file is made and paid, in the town's time zone. */
export type BankFileDate = {
  /** Like 2026-11-23. */
  readonly date: string;
  /** Like 08:05. */
  readonly time: string;
  /** The day on which people should have the money. */
  readonly paidOn: string;
  /** Counts the files of this format on this day, from 1. */
  readonly number: number;
};

/** The town's own account at a bank of the USA, as its bank has it on file. */
export type AchOrigin = {
  readonly routingNumber: string;
  readonly bankName: string;
  readonly companyName: string;
  /** Ten letters or digits that the bank has given the town. */
  readonly companyId: string;
};

/** The town's own account with an IBAN. */
export type IbanOrigin = { readonly name: string; readonly iban: string };

/** The account that the town pays from; null before it was entered. */
export type TownBank = { readonly usBank: AchOrigin | null; readonly iban: IbanOrigin | null };

/** One payout to one account. The id is a UUID. */
export type BankTransfer<M extends PayoutAccount['method']> = {
  readonly id: string;
  readonly cents: number;
  readonly account: Extract<PayoutAccount, { method: M }>;
  /** What the statement of the recipient's bank says. Missing in files that were made before it was added: they do not change. */
  readonly reference?: string;
};

export const formatBankAmount = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
