import { sql } from 'kysely';
import type { ActName } from '../../contract/operator/api.ts';
import type { Cents } from '../../domain/payments.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** The start of a year in the town's time zone. */
const startOf = (year: number, timeZone: string) =>
  sql`make_timestamp(${year}::int, 1, 1, 0, 0, 0) at time zone ${timeZone}::text`;

type TaxMonth = { readonly month: string; readonly collected: Cents; readonly givenBack: Cents };

/** The taxes of each month of a year that has any. */
export const listTaxMonths = (tx: Tx, year: number, timeZone: string): Promise<TaxMonth[]> =>
  queryRows(
    tx,
    sql`select to_char(l.at at time zone ${timeZone}::text, 'YYYY-MM') as month,
        coalesce(-sum(l.amount) filter (where l.amount < 0), 0)::float8 as collected,
        coalesce(sum(l.amount) filter (where l.amount > 0), 0)::float8 as "givenBack"
      from ledger_lines l where l.account = 'taxes-payable'
        and l.at >= ${startOf(year, timeZone)} and l.at < ${startOf(year + 1, timeZone)}
      group by 1 order by 1`,
  );

type WorkerYear = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly payouts: number;
  readonly cents: Cents;
};

/** What was sent to each worker's bank in a year. */
export const listWorkerYears = (tx: Tx, year: number, timeZone: string): Promise<WorkerYear[]> =>
  queryRows(
    tx,
    sql`select u.id, u.fullname as name, u.email, u.role, count(*)::int as payouts, sum(w.amount)::float8 as cents
      from payouts w join users u on u.id = w.user_id
      where w.state = 'sent' and w.sent_at >= ${startOf(year, timeZone)} and w.sent_at < ${startOf(year + 1, timeZone)}
        -- Nothing is sent before it was earned.
        and w.period_end < ${startOf(year + 1, timeZone)}
      group by u.id order by u.fullname, u.id`,
  );

/** Whether another operator has approved, since a time, that this one reads the export of a year. */
export async function isExportApproved(
  tx: Tx,
  { action, operatorId, year, since }: { action: ActName; operatorId: string; year: number; since: Date },
): Promise<boolean> {
  const row = await queryRow(
    tx,
    sql`select a.id from audit a where a.operator_id = ${operatorId}::uuid and a.action = ${action} and a.at > ${since}::timestamptz
      and a.approved_by_name is not null and (a.details::jsonb ->> 'year')::int = ${year}::int limit 1`,
  );
  return row !== undefined;
}
