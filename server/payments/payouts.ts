import { linesOfPayout, mondayBefore } from '../../domain/ledger.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { queuePayoutNotification } from '../notifications/queueNotifications.sql.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import {
  insertPayout,
  isPayoutRunDone,
  listBatchPayouts,
  listPayees,
  markDuePayoutsSent,
  markPayoutRunDone,
  type Payee,
  type PayoutToSend,
} from './payouts.sql.ts';
import { deleteOldWebhookEvents } from './reconciliation.sql.ts';

type PayoutContext = Pick<Context, 'db' | 'now' | 'newId'>;

export type PayoutRun = { readonly periodEnd: Date; readonly people: number; readonly cents: number };

/** Makes the payouts of what was earned before the last Monday, 00:00 UTC. Whatever runs twice, each is made once. */
export async function runPayouts(deps: PayoutContext): Promise<PayoutRun> {
  const { db, now } = deps;
  const periodEnd = mondayBefore(now());
  let [people, cents] = [0, 0];
  for (const payee of await listPayees(db, periodEnd)) {
    const amount = await createPayout(deps, payee, periodEnd);
    if (amount === undefined) continue;
    people += 1;
    cents += amount;
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
    const amount = await insertPayout(tx, { id: payoutId, userId, periodEnd }, at);
    if (amount === undefined) return undefined;
    await writeLedgerEntry(tx, { kind: 'paid-out', payoutId, at, lines: linesOfPayout({ account, userId, amount }) });
    await queuePayoutNotification(tx, { id: payoutId, userId }, at);
    return amount;
  });
}

const WEBHOOK_EVENTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** The week's payouts, when they have not been made yet. */
export async function runDuePayouts(deps: Context): Promise<boolean> {
  const { db, now, log } = deps;
  if (await isPayoutRunDone(db, mondayBefore(now()))) return false;
  const run = await runPayouts(deps);
  await deleteOldWebhookEvents(db, new Date(now().getTime() - WEBHOOK_EVENTS_KEPT_MS));
  log.info({ ...run }, 'payouts were made');
  return false;
}

/** A way for payouts to reach people. `write` gives the file or message that does it, the same for the same payouts. */
export type PayoutMethod = {
  readonly name: string;
  render(batch: string, payouts: readonly PayoutToSend[]): { name: string; text: string };
};

// A cell that begins like a formula would be run by the spreadsheet that opens the file.
const csvCell = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;

/** A CSV file for the operator's bank. */
export const csvPayoutMethod: PayoutMethod = {
  name: 'manual',
  render: (batch, payouts) => ({
    name: `payouts-${batch}.csv`,
    text: [
      'payout,person,name,email,earned before,amount in USD',
      ...payouts.map(({ id, userId, fullname, email, periodEnd, amount }) =>
        [
          id,
          userId,
          csvCell(fullname),
          csvCell(email),
          periodEnd.toISOString().slice(0, 10),
          `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`,
        ].join(','),
      ),
      '',
    ].join('\r\n'),
  }),
};

/** Sends what is due by a method, in a batch that was written down first; undefined when nothing was due. */
export async function sendPayouts({ db, now, newId }: PayoutContext, method: PayoutMethod) {
  const batch = `${now().toISOString().slice(0, 10)}-${newId().slice(-8)}`;
  const many = await markDuePayoutsSent(db, batch, method.name, now());
  return many === 0 ? undefined : { batch, ...method.render(batch, await listBatchPayouts(db, batch)) };
}

/** The file of a batch that was sent before. */
export async function renderSentBatch({ db }: PayoutContext, batch: string, method: PayoutMethod) {
  const payouts = await listBatchPayouts(db, batch);
  return payouts.length === 0 ? undefined : method.render(batch, payouts);
}
