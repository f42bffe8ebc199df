import { type RawBuilder, sql } from 'kysely';
import { isOpenStatus, ORDER_STATUSES } from '../../domain/orders.ts';
import { literals } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';

/** What the database says of the town. Ages in seconds, `equalAt` in seconds since 1970. */
export type Figures = {
  readonly queues: readonly { readonly queue: string; readonly length: number; readonly ageS: number }[];
  readonly stuck: readonly { readonly kind: string; readonly count: number }[];
  readonly orders: readonly { readonly status: string; readonly count: number }[];
  readonly answerMinutes: number | null;
  readonly equalAt: number | null;
};

const OPEN_STATUSES = ORDER_STATUSES.filter(isOpenStatus);
/** A long queue is counted up to here. */
const COUNTED = 10_000;

/** Each queue with the time since when its work is due. The indexes of the workers find the due rows. */
const QUEUES: Readonly<Record<string, { readonly from: RawBuilder<unknown>; readonly due: RawBuilder<unknown> }>> = {
  'account-mail': { from: sql`notifications where channel = 'account-mail'`, due: sql`due_at` },
  mail: { from: sql`notifications where channel = 'mail'`, due: sql`due_at` },
  push: { from: sql`notifications where channel = 'push'`, due: sql`due_at` },
  payments: { from: sql`payments where true`, due: sql`due_at` },
  refunds: { from: sql`refunds where true`, due: sql`due_at` },
  timers: { from: sql`timers where true`, due: sql`due_at` },
};

const STUCK = {
  payments: sql`payments where state = 'stuck' or concern is not null`,
  refunds: sql`refunds where state = 'stuck'`,
  'differing-days': sql`reconciled_days where state in ('differs', 'failed') and not is_known`,
  messages: sql`notifications where state = 'given-up'`,
} satisfies Record<string, RawBuilder<unknown>>;

export async function readFigures(tx: Tx, now: Date): Promise<Figures> {
  const queues = Object.entries(QUEUES).map(
    ([queue, { from, due }]) => sql`select ${sql.lit(queue)} as queue, count(*)::int as length,
      coalesce(extract(epoch from ${now}::timestamptz - min(at)), 0)::float8 as "ageS"
      from (select ${due} as at from ${from} and ${due} <= ${now}::timestamptz order by ${due} limit ${sql.lit(COUNTED)}) due`,
  );
  const stuck = Object.entries(STUCK).map(
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
