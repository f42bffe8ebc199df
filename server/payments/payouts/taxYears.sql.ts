import { sql } from 'kysely';
import type { Cents } from '../../../domain/payments.ts';
import { queryRow, queryRows, type Tx } from '../../db/database.ts';

// The report for a tax office, by years of the town's time zone.

/** The start of a year in the town's time zone. */
const startOf = (year: number, timeZone: string) =>
  sql`make_timestamp(${year}::int, 1, 1, 0, 0, 0) at time zone ${timeZone}::text`;

type TaxMonth = {
  readonly month: string;
  /** In hundredths of a percent; null for orders of earlier releases. */
  readonly taxRate: number | null;
  readonly collected: Cents;
  readonly givenBack: Cents;
};

/** The taxes of a year by month and by the rate of the orders. A month without taxes has no row. */
export const listTaxMonths = (tx: Tx, year: number, timeZone: string): Promise<TaxMonth[]> =>
  queryRows(
    tx,
    sql`select to_char(l.at at time zone ${timeZone}::text, 'YYYY-MM') as month, o.tax_rate as "taxRate",
        coalesce(-sum(l.amount) filter (where l.amount < 0), 0)::float8 as collected,
        coalesce(sum(l.amount) filter (where l.amount > 0), 0)::float8 as "givenBack"
      from ledger_lines l join ledger_entries e on e.id = l.entry_id left join orders o on o.id = e.order_id
      where l.account = 'taxes-payable'
        and l.at >= ${startOf(year, timeZone)} and l.at < ${startOf(year + 1, timeZone)}
      group by 1, 2 order by 1, 2`,
  );

/** Whether the payout `w` was sent in a year. */
const isSentIn = (year: number, timeZone: string) =>
  sql`w.state = 'sent' and w.sent_at >= ${startOf(year, timeZone)} and w.sent_at < ${startOf(year + 1, timeZone)}`;

/** The payouts `w` that were sent in a year. Nothing is sent before it was earned. */
const sentIn = (year: number, timeZone: string) =>
  sql`${isSentIn(year, timeZone)} and w.period_end < ${startOf(year + 1, timeZone)}`;

type WorkerYear = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly payouts: number;
  readonly cents: Cents;
};

/** The amount that was sent to each worker's bank in a year. */
export const listWorkerYears = (tx: Tx, year: number, timeZone: string): Promise<WorkerYear[]> =>
  queryRows(
    tx,
    sql`select u.id, u.fullname as name, u.email, u.role, count(*)::int as payouts, sum(w.amount)::float8 as cents
      from payouts w join users u on u.id = w.user_id where ${sentIn(year, timeZone)}
      group by u.id order by u.fullname, u.id`,
  );

type ReportedWorkers = {
  /** The first bytes of their encrypted numbers, which say by which key; null without a number. */
  readonly keyName: Buffer | null;
  readonly workers: number;
};

/** How many workers were sent so much in a year, by the key that their numbers are encrypted with. */
export const countReportedWorkers = (
  tx: Tx,
  { year, timeZone, from, keyNameBytes }: { year: number; timeZone: string; from: Cents; keyNameBytes: number },
): Promise<ReportedWorkers[]> =>
  queryRows(
    tx,
    sql`select substring(t.sealed from 1 for ${keyNameBytes}::int) as "keyName", count(*)::int as workers
      from (select w.user_id from payouts w where ${sentIn(year, timeZone)}
          group by w.user_id having sum(w.amount) >= ${from}::bigint) reported
        left join tax_ids t on t.user_id = reported.user_id
      group by 1`,
  );

type OwnPayouts = {
  /** Not sent yet. */
  readonly due: Cents;
  readonly lastYear: Cents;
  readonly thisYear: Cents;
};

/** What one worker was sent in a year and the one before, and what is due to be sent. */
export async function sumOwnPayouts(
  tx: Tx,
  userId: string,
  { year, timeZone }: { year: number; timeZone: string },
): Promise<OwnPayouts> {
  const sumOf = (which: ReturnType<typeof isSentIn>) => sql`coalesce(sum(w.amount) filter (where ${which}), 0)::float8`;
  const row = await queryRow<OwnPayouts>(
    tx,
    sql`select ${sumOf(sql`w.state = 'due'`)} as due, ${sumOf(isSentIn(year - 1, timeZone))} as "lastYear",
        ${sumOf(isSentIn(year, timeZone))} as "thisYear"
      from payouts w where w.user_id = ${userId}::uuid`,
  );
  return row ?? { due: 0, lastYear: 0, thisYear: 0 };
}
