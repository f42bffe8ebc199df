import { type BankFile, type BankTransfer, formatBankAmount, type TownBank } from '../../domain/bankFiles.ts';
import { toCsvCell } from '../../domain/csv.ts';
import { renderIso20022 } from '../../domain/iso20022.ts';
import { renderNacha } from '../../domain/nacha.ts';
import type { Cents } from '../../domain/payments.ts';
import { PAYOUT_ACCOUNT_WAIT_MS, type PayoutAccount } from '../../domain/payoutAccounts.ts';
import type { Sealer } from '../auth/sealing.ts';
import type { Tx } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { readSealedAccounts } from './payoutAccounts.sql.ts';
import { listBatchPayouts, type PayoutToSend, readBatchTime } from './payouts.sql.ts';

/** All amounts are in dollars. */
const CURRENCY = 'USD';

const COLUMNS = 'payout,person,name,email,earned before,amount in USD,holder,routing number,account number,kind,IBAN';

export type RenderedFile = {
  readonly name: string;
  readonly text: string;
  /** What is not in the file, because its people have no account of this kind. */
  readonly left: { readonly payouts: number; readonly cents: Cents };
};

type Batch = { readonly id: string; readonly sentAt: Date; readonly payouts: readonly PayoutToAccount[] };
type PayoutToAccount = PayoutToSend & { readonly account: PayoutAccount | undefined };

/**
 * A file of a batch for the bank, with the accounts of its people. An account that was added or changed after the batch was
 * sent, or shortly before, is left out: nobody had time to stop the change. Undefined when there is no such batch.
 */
export async function renderBatchForBank(
  context: { db: Tx; sealer: Sealer },
  id: string,
  { format, bank }: { format: BankFile; bank: TownBank },
): Promise<RenderedFile | undefined> {
  const batch = await readBatch(context, id);
  if (!batch) return undefined;
  if (format === 'csv') return renderCsv(batch);
  return format === 'nacha' ? renderForUsBank(batch, bank) : renderForIban(batch, bank);
}

async function readBatch({ db, sealer }: { db: Tx; sealer: Sealer }, id: string): Promise<Batch | undefined> {
  const payouts = await listBatchPayouts(db, id);
  const sentAt = await readBatchTime(db, id);
  if (payouts.length === 0 || !sentAt) return undefined;
  const before = new Date(sentAt.getTime() - PAYOUT_ACCOUNT_WAIT_MS);
  const sealed = await readSealedAccounts(db, { userIds: payouts.map(({ userId }) => userId), before });
  const accountOf = (userId: string) => {
    const account = sealed.get(userId);
    // One that another key has sealed is as good as none: its owner enters it again.
    const isReadable = account !== undefined && sealer.isOwn(account);
    return isReadable ? (JSON.parse(sealer.unseal(account)) as PayoutAccount) : undefined;
  };
  return { id, sentAt, payouts: payouts.map((payout) => ({ ...payout, account: accountOf(payout.userId) })) };
}

function renderCsv({ id, payouts }: Batch): RenderedFile {
  const text = [COLUMNS, ...payouts.map(lineOf), ''].join('\r\n');
  return { name: `payouts-${id}.csv`, text, left: { payouts: 0, cents: 0 } };
}

function lineOf({ id, userId, fullname, email, periodEnd, amount, account }: PayoutToAccount): string {
  return [
    ...[id, userId, toCsvCell(fullname), toCsvCell(email)],
    ...[periodEnd.toISOString().slice(0, 10), formatBankAmount(amount), ...cellsOf(account)],
  ].join(',');
}

function cellsOf(account: PayoutAccount | undefined): string[] {
  if (!account) return ['', '', '', '', ''];
  const holder = toCsvCell(account.holder);
  if (account.method === 'iban') return [holder, '', '', '', account.iban];
  return [holder, account.routingNumber, account.accountNumber, account.accountType, ''];
}

function renderForUsBank(batch: Batch, { usBank }: TownBank): RenderedFile {
  if (!usBank) refuse('wrongStatus', { message: "Enter the town's account at a bank of the USA first" });
  const { transfers, left } = transfersOf(batch, 'us-bank');
  return { name: `payouts-${batch.id}.ach`, text: renderNacha(usBank, transfers, batch.sentAt), left };
}

function renderForIban(batch: Batch, { iban }: TownBank): RenderedFile {
  if (!iban) refuse('wrongStatus', { message: "Enter the town's IBAN first" });
  const { transfers, left } = transfersOf(batch, 'iban');
  const text = renderIso20022(iban, transfers, { id: batch.id, at: batch.sentAt, currency: CURRENCY });
  return { name: `payouts-${batch.id}.xml`, text, left };
}

function transfersOf<M extends PayoutAccount['method']>({ payouts }: Batch, method: M) {
  const transfers: BankTransfer<M>[] = [];
  const left = { payouts: 0, cents: 0 };
  for (const { id, amount, account } of payouts) {
    if (account?.method === method)
      transfers.push({ id, cents: amount, account: account as BankTransfer<M>['account'] });
    else {
      left.payouts += 1;
      left.cents += amount;
    }
  }
  if (transfers.length === 0) refuse('wrongStatus', { message: 'Nobody in this batch has an account of this kind' });
  return { transfers, left };
}

/** Whether there is such a batch. */
export const isBatch = async (tx: Tx, batch: string): Promise<boolean> =>
  (await readBatchTime(tx, batch)) !== undefined;
