import { type RawBuilder, sql } from 'kysely';
import { isOpenStatus, ORDER_STATUSES } from '../../domain/orders.ts';
import { literals } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';
import type { Figures } from '../metrics/metrics.ts';
import { STUCK } from './today.sql.ts';

const OPEN_STATUSES = ORDER_STATUSES.filter(isOpenStatus);
/** A long queue is counted up to here. */
const COUNTED = 10_000;

/** Each queue, as a table with the times at which its work is due. The indexes of the workers find the due rows. */
const QUEUES: Readonly<Record<string, RawBuilder<unknown>>> = {
  'account-mail': sql`(select due_at from notifications where channel = 'account-mail')`,
  mail: sql`(select due_at from notifications where channel = 'mail')`,
  push: sql`(select due_at from notifications where channel = 'push')`,
  payments: sql`payments`,
  refunds: sql`refunds`,
  timers: sql`timers`,
};

const STUCK_KINDS: Readonly<Record<string, RawBuilder<unknown>>> = {
  payments: STUCK.stuckPayments,
  refunds: STUCK.stuckRefunds,
  'differing-days': STUCK.differingDays,
  messages: STUCK.givenUpMessages,
};

/** What the servers say of the town in their metrics. */
export async function readFigures(tx: Tx, now: Date): Promise<Figures> {
  const queues = Object.entries(QUEUES).map(
    ([queue, work]) => sql`select ${sql.lit(queue)} as queue, count(*)::int as length,
      coalesce(extract(epoch from ${now}::timestamptz - min(due_at)), 0)::float8 as "ageS"
      from (select q.due_at from ${work} q where q.due_at <= ${now}::timestamptz
        order by q.due_at limit ${sql.lit(COUNTED)}) due`,
  );
  const stuck = Object.entries(STUCK_KINDS).map(
    ([kind, from]) =>
      sql`select ${sql.lit(kind)} as kind, count(*)::int as count from (select 1 from ${from} limit ${sql.lit(COUNTED)}) one`,
  );
  const daysAgo = (days: number) => sql`${now}::timestamptz - interval '${sql.raw(String(days))} days'`;
  const [answers] = await queryRows<{ minutes: number | null; equalAt: number | null }>(
    tx,
    sql`select (select (percentile_cont(0.5) within group (order by extract(epoch from s.at - o.created_at)) / 60)::float8
        from orders o join steps s on s.subject_id = o.id and s.action = 'accept-order' and s.attempt = 1
        where o.created_at >= ${daysAgo(1)}) as minutes,
      (select extract(epoch from max(checked_at))::float8 from reconciled_days where state = 'equal') as "equalAt"`,
  );
  return {
    queues: await queryRows(tx, sql`${sql.join(queues, sql` union all `)}`),
    stuck: await queryRows(tx, sql`${sql.join(stuck, sql` union all `)}`),
    orders: await queryRows(
      tx,
      sql`select status, count(*)::int as count from orders where status in (${literals(OPEN_STATUSES)}) group by status`,
    ),
    answerMinutes: answers?.minutes ?? null,
    equalAt: answers?.equalAt ?? null,
  };
}
