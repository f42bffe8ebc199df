import { toCsvCell } from '../../domain/csv.ts';
import { PAYOUT_ACCOUNT_WAIT_MS, type PayoutAccount } from '../../domain/payoutAccounts.ts';
import type { Sealer } from '../auth/sealing.ts';
import type { Tx } from '../db/database.ts';
import { readSealedAccounts } from './payoutAccounts.sql.ts';
import { listBatchPayouts, type PayoutToSend, readBatchTime } from './payouts.sql.ts';

const COLUMNS = 'payout,person,name,email,earned before,amount in USD,holder,routing number,account number,kind,IBAN';

/**
 * A CSV file of a batch for the bank, with the accounts of its people. An account that was added or changed after the batch was
 * sent, or shortly before, is left out: nobody had time to stop the change. Undefined when there is no such batch.
 */
export async function renderBatchForBank(
  { db, sealer }: { db: Tx; sealer: Sealer },
  batch: string,
): Promise<{ name: string; text: string } | undefined> {
  const payouts = await listBatchPayouts(db, batch);
  const sentAt = await readBatchTime(db, batch);
  if (payouts.length === 0 || !sentAt) return undefined;
  const before = new Date(sentAt.getTime() - PAYOUT_ACCOUNT_WAIT_MS);
  const sealed = await readSealedAccounts(db, { userIds: payouts.map(({ userId }) => userId), before });
  const lines = payouts.map((payout) => {
    const account = sealed.get(payout.userId);
    // One that another key has sealed is as good as none: its owner enters it again.
    const isReadable = account !== undefined && sealer.isOwn(account);
    return lineOf(payout, isReadable ? (JSON.parse(sealer.unseal(account)) as PayoutAccount) : undefined);
  });
  return { name: `payouts-${batch}.csv`, text: [COLUMNS, ...lines, ''].join('\r\n') };
}

function lineOf({ id, userId, fullname, email, periodEnd, amount }: PayoutToSend, account?: PayoutAccount): string {
  const dollars = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
  return [
    ...[id, userId, toCsvCell(fullname), toCsvCell(email), periodEnd.toISOString().slice(0, 10), dollars],
    ...cellsOf(account),
  ].join(',');
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
