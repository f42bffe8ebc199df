import { type NotNull, type RawBuilder, sql } from 'kysely';
import type { PendingReason } from '../../../domain/earnings.ts';
import type { Cents } from '../../../domain/payments.ts';
import { PAYOUT_ACCOUNT_WAIT_MS } from '../../../domain/payoutAccounts.ts';
import { isRestrictedFrom, lockUser } from '../../auth/restrictions.sql.ts';
import { queryRow, queryRows, type Tx } from '../../db/database.ts';
import { type PayeeSql, pendingReason } from '../earnings/claimTime.sql.ts';
import { isInPayout, ownPendingReason } from '../ledger/pendingPayouts.sql.ts';

/** Earnings and refunds borne that no payout contains yet, and that nothing holds: `hold` says what. */
const selectUnpaidLines = (tx: Tx, before: Date, hold: RawBuilder<PendingReason | null>) =>
  tx
    .selectFrom('ledger_lines as l')
    .where('l.account', 'in', ['scrub', 'duber'])
    .where('l.kind', '<>', 'paid-out')
    .where('l.at', '<', before)
    .where(({ not }) => not(isInPayout))
    .where(hold, 'is', null);

export type Payee = { readonly userId: string; readonly account: 'scrub' | 'duber' };

/** The next Scrubs and Dubers after one of them, by their ids: few enough to read all that they are owed at once. */
export async function listWorkers(tx: Tx, after: string | undefined, limit: number): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`select id from users where role in ('Scrub', 'Duber') and id > ${after ?? sql.lit('00000000-0000-0000-0000-000000000000')}::uuid
      order by id limit ${sql.lit(limit)}`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Those of some workers who are owed money from before a Monday and have no payout for it yet, also where all of it may still be claimed:
 * `insertPayout` looks at that.
 */
export function listPayees(tx: Tx, workers: readonly string[], periodEnd: Date, now: Date): Promise<Payee[]> {
  return (
    selectUnpaidLines(tx, periodEnd, ownPendingReason(now))
      .where('l.party', '=', sql<string>`any(${[...workers]}::uuid[])`)
      .select(['l.party as userId', 'l.account'])
      .groupBy(['l.party', 'l.account'])
      .having(({ fn }) => fn.sum('l.amount'), '<', 0)
      .having(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('payouts as w')
              .select('w.id')
              .whereRef('w.user_id', '=', 'l.party')
              .where('w.period_end', '=', periodEnd),
          ),
        ),
      )
      // The two accounts that are selected always name a user.
      .$narrowType<{ userId: NotNull; account: Payee['account'] }>()
      .execute()
  );
}

/**
 * Creates a payout of everything a user is owed from before a Monday and nothing holds. Returns its amount in cents, or undefined when
 * nothing is owed or the payout exists.
 */
export async function insertPayout(
  tx: Tx,
  payout: { id: string; userId: string; periodEnd: Date },
  now: Date,
): Promise<number | undefined> {
  const { id, userId, periodEnd } = payout;
  // Concurrent runs for one user wait for each other here, whatever their periods.
  await lockUser(tx, userId);
  const payee: PayeeSql = { person: sql`${userId}::uuid`, before: periodEnd };
  const unpaid = selectUnpaidLines(tx, periodEnd, pendingReason(payee, now))
    .where('l.party', '=', userId)
    .select(['l.entry_id', 'l.position', 'l.amount']);
  // Raw SQL: the total and the payout's lines must come from the same snapshot, so one statement writes both.
  const created = await queryRow<{ amount: number }>(
    tx,
    sql`with unpaid as ${unpaid},
        created as (insert into payouts (id, user_id, period_end, amount, state, created_at)
          select ${id}::uuid, ${userId}::uuid, ${periodEnd}::timestamptz, owed, 'due', ${now}::timestamptz
          from (select -sum(amount) as owed from unpaid) total where owed > 0
          on conflict (user_id, period_end) do nothing returning id, amount),
        lines as (insert into payout_lines (entry_id, position, payout_id)
          select unpaid.entry_id, unpaid.position, created.id from unpaid, created)
      select amount from created`,
  );
  return created?.amount;
}

export async function isPayoutRunDone(tx: Tx, periodEnd: Date): Promise<boolean> {
  const query = tx.selectFrom('payout_runs').select('period_end').where('period_end', '=', periodEnd);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function markPayoutRunDone(tx: Tx, periodEnd: Date, now: Date): Promise<void> {
  await tx
    .insertInto('payout_runs')
    .values({ period_end: periodEnd, finished_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
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

/**
 * Assigns the due payouts to a batch and marks them as sent by `method`, except those of people whose payouts are on hold, and
 * those to an account that was added or changed a short while ago. Returns how many there were.
 */
export async function markDuePayoutsSent(tx: Tx, batch: string, method: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('payouts')
    .set({ state: 'sent', method, batch, sent_at: now })
    // A literal, so that the partial index on due payouts applies.
    .where('state', '=', sql.lit('due'))
    .where(sql<boolean>`not ${isRestrictedFrom('payout', sql`payouts.user_id`)}`)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('payout_accounts as a')
            .select('a.user_id')
            .whereRef('a.user_id', '=', 'payouts.user_id')
            .where('a.changed_at', '>', new Date(now.getTime() - PAYOUT_ACCOUNT_WAIT_MS)),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The payouts of a batch that are on their way. Those that came back are paid in another batch. */
export function listBatchPayouts(tx: Tx, batch: string): Promise<PayoutToSend[]> {
  return tx
    .selectFrom('payouts as w')
    .innerJoin('users as u', 'u.id', 'w.user_id')
    .where('w.batch', '=', batch)
    .where('w.state', '=', 'sent')
    .select(['w.id', 'w.user_id as userId', 'u.fullname', 'u.email', 'w.period_end as periodEnd', 'w.amount'])
    .orderBy('w.period_end')
    .orderBy('u.fullname')
    .orderBy('w.id')
    .execute();
}

/** Locks a payout of a person until the transaction ends. */
export function lockPayout(tx: Tx, { id, userId }: { id: string; userId: string }) {
  return (
    tx
      .selectFrom('payouts as w')
      .innerJoin('users as u', 'u.id', 'w.user_id')
      .where('w.id', '=', id)
      .where('w.user_id', '=', userId)
      .select(['w.amount', 'w.state', 'w.batch', 'w.period_end as periodEnd', 'u.role'])
      // Buds have no payouts.
      .$narrowType<{ role: 'Scrub' | 'Duber' }>()
      .forUpdate('w')
      .executeTakeFirst()
  );
}

export async function setPayoutReturned(
  tx: Tx,
  id: string,
  { entryId, at }: { entryId: string | undefined; at: Date },
): Promise<void> {
  await tx
    .updateTable('payouts')
    .set({ state: 'returned', returned_at: at, return_entry: entryId })
    .where('id', '=', id)
    .execute();
}

/** When a batch was sent; undefined when there is no such batch. */
export async function readBatchTime(tx: Tx, batch: string): Promise<Date | undefined> {
  const row = await tx.selectFrom('payouts').select('sent_at').where('batch', '=', batch).limit(1).executeTakeFirst();
  return row?.sent_at ?? undefined;
}

/** How many payouts of a batch came back, and how much. */
export async function sumReturnedPayouts(tx: Tx, batch: string): Promise<{ payouts: number; cents: Cents }> {
  const row = await queryRow<{ payouts: number; cents: number }>(
    tx,
    sql`select count(*)::int as payouts, coalesce(sum(amount), 0)::int as cents from payouts
      where batch = ${batch} and state = 'returned'`,
  );
  return row ?? { payouts: 0, cents: 0 };
}
