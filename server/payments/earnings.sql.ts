import { sql } from 'kysely';
import type { EarningLine, Payout } from '../../contract/earnings.ts';
import { isoTime } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

export type Earner = { readonly account: 'scrub' | 'duber'; readonly userId: string };

const isEarnerLine = ({ account, userId }: Earner) => sql`l.party = ${userId}::uuid and l.account = ${account}`;

/** Cents: all that was earned, and what of it was paid out. */
export async function sumEarnedAndPaid(tx: Tx, earner: Earner): Promise<{ earned: number; paid: number }> {
  const sums = await queryRow<{ earned: number; paid: number }>(
    tx,
    sql`select coalesce(-sum(l.amount) filter (where l.kind <> 'paid-out'), 0)::float8 as earned,
        coalesce(sum(l.amount) filter (where l.kind = 'paid-out'), 0)::float8 as paid
      from ledger_lines l where ${isEarnerLine(earner)}`,
  );
  return sums ?? { earned: 0, paid: 0 };
}

/** Cents by week since a Monday; a week's number counts from it. */
export function sumEarningsByWeek(tx: Tx, earner: Earner, since: Date): Promise<{ week: number; earned: number }[]> {
  return queryRows(
    tx,
    sql`select floor(extract(epoch from l.at - ${since}::timestamptz) / 604800)::int as week,
        -sum(l.amount)::float8 as earned
      from ledger_lines l where ${isEarnerLine(earner)} and l.kind <> 'paid-out' and l.at >= ${since} group by 1`,
  );
}

/** The person's payouts, newest first, amounts in cents. */
export function listPayouts(tx: Tx, userId: string, limit: number): Promise<Payout[]> {
  return queryRows(
    tx,
    sql`select w.id, ${isoTime('w.period_end')} as "periodEnd", w.amount, w.state as status,
        ${isoTime('w.created_at')} as "createdAt", ${isoTime('w.sent_at')} as "sentAt"
      from payouts w where w.user_id = ${userId} order by w.period_end desc limit ${limit}`,
  );
}

export async function isPayoutOf(tx: Tx, userId: string, payoutId: string): Promise<boolean> {
  return (await queryRow(tx, sql`select 1 from payouts where id = ${payoutId} and user_id = ${userId}`)) !== undefined;
}

const MAX_LINES = 10_000;

/** The lines of one payout, or those that are in none yet; amounts in cents, above zero for what was earned. */
export function listStatementLines(tx: Tx, earner: Earner, payoutId: string | undefined): Promise<EarningLine[]> {
  const paid = sql`from payout_lines k where k.entry_id = l.entry_id and k.position = l.position`;
  const which =
    payoutId === undefined
      ? sql`not exists (select 1 ${paid})`
      : sql`exists (select 1 ${paid} and k.payout_id = ${payoutId}::uuid)`;
  return queryRows(
    tx,
    sql`select ${isoTime('l.at')} as at, l.kind, e.order_id as "orderId", e.delivery_id as "deliveryId", r.reason,
        -l.amount as amount
      from ledger_lines l join ledger_entries e on e.id = l.entry_id left join refunds r on r.id = e.refund_id
      where ${isEarnerLine(earner)} and l.kind <> 'paid-out' and ${which}
      order by l.at, l.entry_id limit ${MAX_LINES}`,
  );
}
