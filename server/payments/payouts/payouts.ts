import { setImmediate } from 'node:timers/promises';
import { formatBankAmount } from '../../../domain/bankFiles.ts';
import { toCsvCell, toCsvFile } from '../../../domain/csv.ts';
import { linesOfPayout, mondayBefore } from '../../../domain/ledger.ts';
import { holdSamePeople } from '../../cases/samePeople.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../db/database.ts';
import { queuePayoutNotification } from '../../notifications/queueNotifications.sql.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import {
  insertPayout,
  isPayoutRunDone,
  listBatchPayouts,
  listPayees,
  listWorkers,
  markDuePayoutsSent,
  markPayoutRunDone,
  type Payee,
  type PayoutToSend,
} from './payouts.sql.ts';

/** Of each of them all lines of the ledger are read. */
const WORKERS_AT_ONCE = 10;

type PayoutContext = Pick<Context, 'db' | 'now' | 'newId'>;

export type PayoutRun = { readonly periodEnd: Date; readonly people: number; readonly cents: number };

/** Creates the payouts of everything earned before the last Monday, 00:00 UTC. Repeated runs create each payout once. */
export async function runPayouts(context: PayoutContext): Promise<PayoutRun> {
  const { db, now } = context;
  const periodEnd = mondayBefore(now());
  let [people, cents] = [0, 0];
  let workers = await listWorkers(db, undefined, WORKERS_AT_ONCE);
  while (workers.length > 0) {
    for (const payee of await listPayees(db, workers, periodEnd, now())) {
      const amount = await createPayout(context, payee, periodEnd);
      // Requests come first: the embedded database is in this thread.
      await setImmediate();
      if (amount === undefined) continue;
      people += 1;
      cents += amount;
    }
    workers = await listWorkers(db, workers.at(-1), WORKERS_AT_ONCE);
  }
  await markPayoutRunDone(db, periodEnd, now());
  return { periodEnd, people, cents };
}

function createPayout(
  { db, now, newId }: PayoutContext,
  { userId, account }: Payee,
  periodEnd: Date,
): Promise<number | undefined> {
  const [payoutId, at] = [newId(), now()];
  return transact(db, async (tx) => {
    await holdSamePeople(tx, { userId, account }, periodEnd, at);
    const amount = await insertPayout(tx, { id: payoutId, userId, periodEnd }, at);
    if (amount === undefined) return undefined;
    await writeLedgerEntry(tx, { kind: 'paid-out', payoutId, at, lines: linesOfPayout({ account, userId, amount }) });
    await queuePayoutNotification(tx, { id: payoutId, userId }, at);
    return amount;
  });
}

/** Creates this week's payouts if that is not done yet. */
export async function runDuePayouts(context: Context): Promise<boolean> {
  const { db, now, log } = context;
  if (await isPayoutRunDone(db, mondayBefore(now()))) return false;
  const run = await runPayouts(context);
  log.info({ ...run }, 'payouts created');
  return false;
}

/** How payouts reach people. `render` returns the file to send, always the same for the same payouts. */
export type PayoutMethod = {
  readonly name: string;
  render(batch: string, payouts: readonly PayoutToSend[]): { name: string; text: string };
};

/** A CSV file for the operator's bank. */
export const csvPayoutMethod: PayoutMethod = {
  name: 'manual',
  render: (batch, payouts) => ({
    name: `payouts-${batch}.csv`,
    text: toCsvFile([
      ['payout', 'person', 'name', 'email', 'earned before', 'amount in USD'],
      ...payouts.map(({ id, userId, fullname, email, periodEnd, amount }) => [
        ...[id, userId, toCsvCell(fullname), toCsvCell(email)],
        ...[periodEnd.toISOString().slice(0, 10), formatBankAmount(amount)],
      ]),
    ]),
  }),
};

/** Assigns the due payouts to a new batch and renders it; undefined when nothing is due. */
export async function sendPayouts({ db, now, newId }: PayoutContext, method: PayoutMethod) {
  const batch = `${now().toISOString().slice(0, 10)}-${newId().slice(-8)}`;
  const count = await markDuePayoutsSent(db, batch, method.name, now());
  if (count === 0) return undefined;
  const payouts = await listBatchPayouts(db, batch);
  const cents = payouts.reduce((sum, { amount }) => sum + amount, 0);
  return { batch, people: new Set(payouts.map(({ userId }) => userId)).size, cents, ...method.render(batch, payouts) };
}

/** Renders a batch again that was sent before; undefined when there is no such batch. */
export async function renderSentBatch({ db }: PayoutContext, batch: string, method: PayoutMethod) {
  const payouts = await listBatchPayouts(db, batch);
  return payouts.length === 0 ? undefined : method.render(batch, payouts);
}
