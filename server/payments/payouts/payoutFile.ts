import { nextBankDay } from '../../../domain/bankDays.ts';
import {
  type BankFile,
  type BankFormat,
  type BankTransfer,
  formatBankAmount,
  type TownBank,
} from '../../../domain/bankFiles.ts';
import { toCsvCell, toCsvFile } from '../../../domain/csv.ts';
import { localClock } from '../../../domain/localDays.ts';
import { hasBankLetters } from '../../../domain/nacha.ts';
import type { Cents } from '../../../domain/payments.ts';
import { PAYOUT_ACCOUNT_WAIT_MS, type PayoutAccount } from '../../../domain/payoutAccounts.ts';
import type { Sealer } from '../../auth/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { orNotFound, refuse } from '../../http/refusals.ts';
import { readSealedAccounts } from './payoutAccounts.sql.ts';
import { insertPayoutFile, nextFileNumber } from './payoutFiles.sql.ts';
import { listBatchPayouts, type PayoutToSend, readBatchTime, sumReturnedPayouts } from './payouts.sql.ts';
import { readStoredBankFiles, renderStoredBankFile, type StoredBankFile, sealBankFile } from './storedBankFiles.ts';

const COLUMNS = [
  ...['payout', 'person', 'name', 'email', 'earned before', 'amount in USD'],
  ...['holder', 'routing number', 'account number', 'kind', 'IBAN'],
];

export type RenderedFile = {
  readonly name: string;
  readonly text: string;
  /** The payouts that are not in the file: their people have no account of this kind, or are in another file already. */
  readonly left: PayoutSum;
  /** The payouts that are not in the file because the bank has sent them back. Another batch pays them. */
  readonly returned: PayoutSum;
};

export type PayoutSum = { readonly payouts: number; readonly cents: Cents };

type FileContext = { readonly db: Tx; readonly sealer: Sealer };
type PayoutToAccount = PayoutToSend & { readonly account: PayoutAccount | undefined };

/**
 * Makes the file of a batch that a bank reads, unless it was made before: then it stays as it is. It is paid on the next day on
 * which its banks work, counted from the town's day. Calls must take turns: files of a day are numbered.
 */
export async function makeBankFile(
  context: FileContext,
  batch: string,
  { format, bank, timeZone, at }: { format: BankFormat; bank: TownBank; timeZone: string; at: Date },
): Promise<void> {
  const { db, sealer } = context;
  if ((await readStoredBankFiles(context, batch)).has(format)) return;
  const clock = localClock(at, timeZone);
  const number = await nextFileNumber(db, { format, day: clock.date });
  const on = { ...clock, paidOn: nextBankDay(format === 'nacha' ? 'fed' : 'target', clock.date), number };
  const file = fileOf(format, bank, { batch, on, payouts: await listWithAccounts(context, batch) });
  if (file.transfers.length === 0)
    refuse('wrongStatus', { message: 'Nobody in this batch has an account of this kind' });
  await insertPayoutFile(db, {
    batch,
    format,
    day: clock.date,
    number,
    madeAt: at,
    sealed: sealBankFile(sealer, file),
  });
}

function fileOf(
  format: BankFormat,
  { usBank, iban }: TownBank,
  { payouts, ...file }: Pick<StoredBankFile, 'batch' | 'on'> & { payouts: readonly PayoutToAccount[] },
): StoredBankFile {
  if (format === 'nacha') {
    if (!usBank) refuse('wrongStatus', { message: "Enter the town's account at a bank of the USA first" });
    // A name that the bank cannot read counts as missing. It may be older than the check.
    const transfers = transfersOf(payouts, 'us-bank').filter(({ account }) => hasBankLetters(account.holder));
    return { ...file, format, origin: usBank, transfers };
  }
  if (!iban) refuse('wrongStatus', { message: "Enter the town's IBAN first" });
  return { ...file, format, origin: iban, transfers: transfersOf(payouts, 'iban') };
}

const transfersOf = <M extends PayoutAccount['method']>(payouts: readonly PayoutToAccount[], method: M) =>
  payouts.flatMap(({ id, amount, periodEnd, account }): BankTransfer<M>[] => {
    if (account?.method !== method) return [];
    const reference = `Payout for work before ${dayOf(periodEnd)}`;
    return [{ id, cents: amount, account: account as BankTransfer<M>['account'], reference }];
  });

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * A file of a batch, with the accounts of its people. What a bank reads must have been made before. Fails with 404 when there is
 * no such batch, or no such file yet.
 */
export async function renderBatchForBank(context: FileContext, batch: string, format: BankFile): Promise<RenderedFile> {
  const payouts = await listWithAccounts(context, batch);
  const returned = await sumReturnedPayouts(context.db, batch);
  if (format === 'csv') return { ...renderCsv(`payouts-${batch}.csv`, payouts), left: sumOf([]), returned };
  const made = await readStoredBankFiles(context, batch);
  if (format === 'csv-rest') {
    const inFiles = new Set([...made.values()].flatMap(({ transfers }) => transfers.map(({ id }) => id)));
    const [rest, left] = partition(payouts, ({ id }) => !inFiles.has(id));
    if (rest.length === 0) refuse('wrongStatus', { message: 'Everybody is in a file that was made before' });
    return { ...renderCsv(`payouts-${batch}-rest.csv`, rest), left: sumOf(left), returned };
  }
  const file = orNotFound(made.get(format));
  const inFile = new Set(file.transfers.map(({ id }) => id));
  const [sent, left] = partition(payouts, ({ id }) => inFile.has(id));
  const sentIds = new Set(sent.map(({ id }) => id));
  return { ...renderStoredBankFile(file, (id) => sentIds.has(id)), left: sumOf(left), returned };
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

const sumOf = (payouts: readonly PayoutToSend[]): PayoutSum => ({
  payouts: payouts.length,
  cents: payouts.reduce((sum, { amount }) => sum + amount, 0),
});

/**
 * The payouts of a batch that are on their way. An account that was added or changed after the batch was sent, or shortly before,
 * is left out: nobody had time to stop the change.
 */
async function listWithAccounts({ db, sealer }: FileContext, batch: string): Promise<PayoutToAccount[]> {
  const sentAt = orNotFound(await readBatchTime(db, batch));
  const payouts = await listBatchPayouts(db, batch);
  if (payouts.length === 0) refuse('wrongStatus', { message: 'All payouts of this batch came back' });
  const before = new Date(sentAt.getTime() - PAYOUT_ACCOUNT_WAIT_MS);
  const sealed = await readSealedAccounts(db, { userIds: payouts.map(({ userId }) => userId), before });
  const accountOf = (userId: string) => {
    const account = sealed.get(userId);
    // Counts as missing when sealed with another key; the owner enters it again.
    const isReadable = account !== undefined && sealer.isOwn(account);
    return isReadable ? (JSON.parse(sealer.unseal(account)) as PayoutAccount) : undefined;
  };
  return payouts.map((payout) => ({ ...payout, account: accountOf(payout.userId) }));
}

const renderCsv = (name: string, payouts: readonly PayoutToAccount[]) => ({
  name,
  text: toCsvFile([COLUMNS, ...payouts.map(cellsOfPayout)]),
});

function cellsOfPayout({ id, userId, fullname, email, periodEnd, amount, account }: PayoutToAccount): string[] {
  return [
    ...[id, userId, toCsvCell(fullname), toCsvCell(email)],
    ...[dayOf(periodEnd), formatBankAmount(amount), ...cellsOf(account)],
  ];
}

function cellsOf(account: PayoutAccount | undefined): string[] {
  if (!account) return ['', '', '', '', ''];
  const holder = toCsvCell(account.holder);
  if (account.method === 'iban') return [holder, '', '', '', account.iban];
  return [holder, account.routingNumber, account.accountNumber, account.accountType, ''];
}

/** Whether there is such a batch. */
export const isBatch = async (tx: Tx, batch: string): Promise<boolean> =>
  (await readBatchTime(tx, batch)) !== undefined;
