import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

const isUnpaidLine = sql`l.account in ('scrub', 'duber') and l.kind <> 'paid-out' and not exists (select 1 from payout_lines k
  where k.entry_id = l.entry_id and k.position = l.position)`;

export type Payee = { readonly userId: string; readonly account: 'scrub' | 'duber' };

/** People who are owed something from before a Monday and have no payout of that Monday yet. */
export function listPayees(tx: Tx, periodEnd: Date): Promise<Payee[]> {
  return queryRows(
    tx,
    sql`select l.party as "userId", l.account from ledger_lines l where ${isUnpaidLine} and l.at < ${periodEnd}
      group by l.party, l.account
      having sum(l.amount) < 0 and not exists (select 1 from payouts w
        where w.user_id = l.party and w.period_end = ${periodEnd})`,
  );
}

/**
 * Gathers what a person is owed from before a Monday into a payout, and takes its lines; gives its amount in cents, or
 * undefined when nothing is owed or it was made before.
 */
export async function insertPayout(
  tx: Tx,
  payout: { id: string; userId: string; periodEnd: Date },
  now: Date,
): Promise<number | undefined> {
  const { id, userId, periodEnd } = payout;
  // Two runs for one person wait for each other here, whatever periods they are about.
  await queryRows(tx, sql`select 1 from users where id = ${userId} for update`);
  const made = await queryRow<{ amount: number }>(
    tx,
    sql`with open as (select l.entry_id, l.position, l.amount from ledger_lines l
          where ${isUnpaidLine} and l.party = ${userId} and l.at < ${periodEnd}),
        made as (insert into payouts (id, user_id, period_end, amount, state, created_at)
          select ${id}::uuid, ${userId}::uuid, ${periodEnd}::timestamptz, owed, 'due', ${now}::timestamptz
          from (select -sum(amount) as owed from open) total where owed > 0
          on conflict (user_id, period_end) do nothing returning id, amount),
        taken as (insert into payout_lines (entry_id, position, payout_id)
          select open.entry_id, open.position, made.id from open, made)
      select amount from made`,
  );
  return made?.amount;
}

export async function isPayoutRunDone(tx: Tx, periodEnd: Date): Promise<boolean> {
  return (await queryRow(tx, sql`select 1 from payout_runs where period_end = ${periodEnd}`)) !== undefined;
}

export async function markPayoutRunDone(tx: Tx, periodEnd: Date, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`insert into payout_runs (period_end, finished_at) values (${periodEnd}, ${now}) on conflict do nothing`,
  );
}

export type PayoutToSend = {
  readonly id: string;
  readonly userId: string;
  readonly fullname: string;
  readonly email: string;
  readonly periodEnd: Date;
  /** Cents. */
  readonly amount: number;
};

/** Puts every payout that is due into a batch that goes out by `method`; gives how many there were. */
export async function markDuePayoutsSent(tx: Tx, batch: string, method: string, now: Date): Promise<number> {
  const sent = await queryRows(
    tx,
    sql`update payouts set state = 'sent', method = ${method}, batch = ${batch}, sent_at = ${now}
      where state = 'due' returning id`,
  );
  return sent.length;
}

export function listBatchPayouts(tx: Tx, batch: string): Promise<PayoutToSend[]> {
  return queryRows(
    tx,
    sql`select w.id, w.user_id as "userId", u.fullname, u.email, w.period_end as "periodEnd", w.amount
      from payouts w join users u on u.id = w.user_id where w.batch = ${batch} order by w.period_end, u.fullname, w.id`,
  );
}
