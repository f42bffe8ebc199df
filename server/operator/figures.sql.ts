import { type RawBuilder, sql } from 'kysely';
import type { Today } from '../../contract/operator/today.ts';
import { mondayBefore } from '../../domain/ledger.ts';
import { isOpenStatus, ORDER_STATUSES } from '../../domain/orders.ts';
import { QUEUE_LATE_AFTER_MS, type WorkQueue } from '../../domain/workQueues.ts';
import { backAt, isoTime, literals } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { Figures } from '../metrics/metrics.ts';
import { BACKUP_ACTION } from './audit.sql.ts';
import { STUCK } from './today.sql.ts';

const OPEN_STATUSES = ORDER_STATUSES.filter(isOpenStatus);
/** A long queue is counted up to here. */
const COUNTED = 10_000;

/** Each queue, as a table with the times at which its work is due. The indexes of the workers find the due rows. */
const QUEUES: Readonly<Record<WorkQueue, (now: Date) => RawBuilder<unknown>>> = {
  'account-mail': () => sql`(select due_at from notifications where channel = 'account-mail')`,
  mail: () => sql`(select due_at from notifications where channel = 'mail')`,
  push: () => sql`(select due_at from notifications where channel = 'push')`,
  timers: () => sql`timers`,
  payments: () => sql`payments`,
  refunds: () => sql`refunds`,
  'payment-checks': () => sql`(select look_at as due_at from payments)`,
  chargebacks: () => sql`(select call_due_at as due_at from disputes where call is not null)`,
  // One piece of work, which is due on Monday and done when the payouts of all people are made.
  payouts: (now) => sql`(select ${mondayBefore(now)}::timestamptz as due_at
    where not exists (select from payout_runs where period_end = ${mondayBefore(now)}::timestamptz))`,
  reconciliation: () => sql`reconciled_days`,
};

const STUCK_KINDS: Readonly<Record<string, RawBuilder<unknown>>> = {
  payments: STUCK.stuckPayments,
  refunds: STUCK.stuckRefunds,
  'differing-days': STUCK.differingDays,
  messages: STUCK.givenUpMessages,
};

type Queue = { readonly queue: WorkQueue; readonly length: number; readonly since: Date | null };

/** How much work is due in each queue, and since when the oldest is. */
export function dueWorkSql(now: Date): RawBuilder<unknown> {
  const queues = Object.entries(QUEUES).map(
    ([queue, work]) => sql`select ${sql.lit(queue)} as queue, count(*)::int as length, min(due_at) as since
      from (select q.due_at from ${work(now)} q where q.due_at <= ${now}::timestamptz
        order by q.due_at limit ${sql.lit(COUNTED)}) due`,
  );
  return sql.join(queues, sql` union all `);
}

const ageOf = (since: Date | null, now: Date) => (since === null ? 0 : now.getTime() - since.getTime());

/** The newest day with a verdict. */
const LAST_VERDICT = sql`select day, state, checked_at, is_known from reconciled_days where state is not null
  order by day desc limit 1`;

/** When the last backup was made: the command writes it into the audit. */
const BACKUP_AT = sql<Date>`(select a.at from audit a where a.action = ${sql.lit(BACKUP_ACTION)} order by a.id desc limit 1)`;

/** What the server does by itself, and what the ledger check said last, as Today shows it. */
export async function readWorks(tx: Tx, now: Date): Promise<Pick<Today, 'queues' | 'books' | 'backupAt'>> {
  const queues = await queryRows<Queue>(tx, sql`${dueWorkSql(now)}`);
  const checks = await queryRow<Pick<Today, 'books' | 'backupAt'>>(
    tx,
    sql`select ${isoTime(BACKUP_AT)} as "backupAt", (select jsonb_build_object('day', v.day, 'state', v.state,
        'checkedAt', ${isoTime('v.checked_at')}) from (${LAST_VERDICT}) v) as books`,
  );
  return {
    queues: queues.map(({ queue, length, since }) => ({
      queue,
      length,
      lateSince: ageOf(since, now) > QUEUE_LATE_AFTER_MS ? (since?.toISOString() ?? null) : null,
    })),
    ...(checks as NonNullable<typeof checks>),
  };
}

/** What the servers say of the town in their metrics. */
export async function readFigures(tx: Tx, now: Date): Promise<Figures> {
  const stuck = Object.entries(STUCK_KINDS).map(
    ([kind, from]) =>
      sql`select ${sql.lit(kind)} as kind, count(*)::int as count from (select 1 from ${from} limit ${sql.lit(COUNTED)}) one`,
  );
  const daysAgo = (days: number) => sql`${now}::timestamptz - interval '${sql.raw(String(days))} days'`;
  const figures = await queryRow<Omit<Figures, 'queues' | 'stuck' | 'orders'>>(
    tx,
    sql`select (select (percentile_cont(0.5) within group (order by extract(epoch from s.at - o.created_at)) / 60)::float8
        from orders o join steps s on s.subject_id = o.id and s.action = 'accept-order' and s.attempt = 1
        where o.created_at >= ${daysAgo(1)}) as "answerMinutes",
      (select avg(case when exists (select from steps s where s.subject_id = o.id and (s.action = 'late'
          or s.action = 'promise-missed' and not coalesce(${backAt('o')} <= o.promised_at, false))) then 0 else 1 end)::float8
        from orders o where o.completed_at >= ${daysAgo(1)}) as "onTime",
      (select extract(epoch from max(checked_at))::float8 from reconciled_days where state = 'equal') as "equalAt",
      extract(epoch from ${BACKUP_AT})::float8 as "backupAt",
      (select jsonb_build_object('checkedAt', extract(epoch from v.checked_at)::float8,
          'state', case when v.state <> 'equal' and v.is_known then 'known' else v.state end) from (${LAST_VERDICT}) v) as verdict`,
  );
  const queues = await queryRows<Queue>(tx, sql`${dueWorkSql(now)}`);
  return {
    queues: queues.map(({ since, ...queue }) => ({ ...queue, ageS: ageOf(since, now) / 1000 })),
    stuck: await queryRows(tx, sql`${sql.join(stuck, sql` union all `)}`),
    orders: await queryRows(
      tx,
      sql`select status, count(*)::int as count from orders where status in (${literals(OPEN_STATUSES)}) group by status`,
    ),
    ...(figures as NonNullable<typeof figures>),
  };
}
