import { sql } from 'kysely';
import {
  DAYS_BACK,
  type DayCounts,
  type DayDifference,
  type DayState,
  type DaySums,
  FEES_KNOWN_AFTER_MS,
  LONGEST_GAP_DAYS,
} from '../../../domain/reconciledDays.ts';
import { queryRow, queryRows, type Tx } from '../../db/database.ts';
import type { PageBounds } from '../../db/pages.ts';
import { addMs } from '../card/retry.ts';
import type { EntryPlace } from './dayMovements.sql.ts';

/** How far a comparison is. */
export type DayProgress = {
  /** This comparison: the ids that the card network has listed are kept under it. */
  readonly run: string;
  readonly part: 'charges' | 'refunds' | 'disputes' | 'ours';
  readonly cursor?: string | undefined;
  /** The last entry of the ledger that the part 'ours' has compared. */
  readonly after?: EntryPlace | undefined;
  readonly pages: number;
  readonly ours: DaySums;
  readonly theirs: DaySums;
  readonly counts: DayCounts;
  readonly differing: number;
  readonly differences: readonly DayDifference[];
  /** How often this page has failed. */
  readonly failures?: number;
};

/** A worker that compares a page has this long before another one may take it. */
const LEASE_MS = 2 * 60_000;
/** Later than any lease or next try: the clock was ahead when it was written. */
const TOO_LATE_MS = 2 * 60 * 60_000;

/**
 * Adds the days whose fees are known by now: all since the last one, also when this server was off for long. The first time, those
 * of the last month since the first charge.
 */
export async function addFinishedDays(tx: Tx, now: Date): Promise<void> {
  const asOf = addMs(now, -FEES_KNOWN_AFTER_MS);
  await queryRows(
    tx,
    sql`with last as (select (${asOf}::timestamptz at time zone 'UTC')::date - 1 as day),
      charged as (select (e.at at time zone 'UTC')::date as day from ledger_entries e where e.kind = 'captured' order by e.id limit 1),
      first as (select coalesce(
        (select greatest(max(r.day)::date + 1, l.day - ${sql.lit(LONGEST_GAP_DAYS - 1)}) from reconciled_days r having count(*) > 0),
        (select greatest(c.day, l.day - ${sql.lit(DAYS_BACK - 1)}) from charged c)) as day from last l)
      insert into reconciled_days (day, due_at)
        select to_char(d, 'YYYY-MM-DD'), ${now}::timestamptz from first, last,
          generate_series(first.day::timestamp, last.day::timestamp, interval '1 day') d
        on conflict do nothing`,
  );
}

/** While a clock was ahead, days were compared that were not over, or put off. They are compared when they are over. */
export async function correctDaysAhead(tx: Tx, now: Date): Promise<void> {
  const late = addMs(now, TOO_LATE_MS);
  await queryRows(
    tx,
    sql`with early as (delete from reconciled_days where not is_early and day >= to_char(${now}::timestamptz at time zone 'UTC', 'YYYY-MM-DD'))
      update reconciled_days set due_at = ${now}::timestamptz, progress = null, tries = 0
        where day < to_char(${now}::timestamptz at time zone 'UTC', 'YYYY-MM-DD')
          and (due_at is null and checked_at > ${late} or due_at > ${late})`,
  );
}

export type DueDay = { readonly day: string; readonly leasedUntil: Date; readonly tries: number } & {
  readonly progress: DayProgress | null;
};

/** Leases the newest day that is due; nobody else compares it until `leasedUntil`. */
export const takeDueDay = (tx: Tx, now: Date): Promise<DueDay | undefined> =>
  queryRow(
    tx,
    sql`update reconciled_days set due_at = ${addMs(now, LEASE_MS)}
      where day = (select day from reconciled_days where due_at <= ${now} order by day desc limit 1 for update skip locked)
      returning day, due_at as "leasedUntil", tries, progress`,
  );

/** The row of the lease. Another worker takes it once the lease is over, or an operator has asked again. */
const isLeased = ({ day, leasedUntil }: DueDay) => sql`day = ${day} and due_at = ${leasedUntil}::timestamptz`;

/** After a page: with the ids that it had. */
export async function keepProgress(
  tx: Tx,
  due: DueDay,
  { progress, listed }: { progress: DayProgress; listed: readonly string[] },
  now: Date,
): Promise<void> {
  await queryRows(
    tx,
    sql`with kept as (update reconciled_days set progress = ${JSON.stringify(progress)}::jsonb, failure = null, due_at = ${now}
        where ${isLeased(due)} returning day)
      insert into reconciled_ids (run, square_id) select ${progress.run}::uuid, x.id from kept, unnest(${listed}::text[]) x (id)
        on conflict do nothing`,
  );
}

/** Which of these ids earlier pages had: a list may move on while it is read. */
export async function findListedBefore(tx: Tx, run: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`select square_id as id from reconciled_ids where run = ${run}::uuid and square_id = any(${ids}::text[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

const FORGOTTEN_AT_ONCE = 500;

/** Deletes ids of comparisons that have ended, not too many at once. False when there are none. */
export async function forgetListedIds(tx: Tx): Promise<boolean> {
  const row = await queryRow<{ count: number }>(
    tx,
    sql`with gone as (delete from reconciled_ids where ctid = any(array(select s.ctid from reconciled_ids s
          where not exists (select from reconciled_days d where d.progress ->> 'run' = s.run::text)
          limit ${sql.lit(FORGOTTEN_AT_ONCE)})) returning 1)
      select count(*)::int as count from gone`,
  );
  return (row?.count ?? 0) > 0;
}

/** The result. What an operator knows stays known only while it is the same. */
export async function finishDay(tx: Tx, due: DueDay, done: DayProgress, now: Date): Promise<void> {
  const [ours, theirs, counts] = [done.ours, done.theirs, done.counts].map((value) => JSON.stringify(value));
  const differences = JSON.stringify(done.differences);
  const state: DayState = done.differing === 0 ? 'equal' : 'differs';
  await queryRows(
    tx,
    sql`update reconciled_days set state = ${state}, checked_at = ${now}, ours = ${ours}::jsonb, theirs = ${theirs}::jsonb,
        counts = ${counts}::jsonb, differing = ${done.differing}, differences = ${differences}::jsonb,
        -- Before the first result, the sums are null.
        is_known = is_known and (ours, theirs, differences) is not distinct from (${ours}::jsonb, ${theirs}::jsonb, ${differences}::jsonb),
        due_at = null, tries = 0, failure = null, progress = null
      where ${isLeased(due)}`,
  );
}

export type FailedTry = {
  readonly why: string;
  readonly again: Date;
  readonly isOver: boolean;
  /** How often the page has failed; 0 to start over. */
  readonly failures: number;
};

/** A try has failed: it resumes where it was, or starts over. `isOver`: a person should know. */
export async function postponeDay(tx: Tx, due: DueDay, { why, again, isOver, failures }: FailedTry): Promise<void> {
  await queryRows(
    tx,
    sql`update reconciled_days set tries = tries + 1, failure = ${why}, due_at = ${again}::timestamptz,
        progress = case when ${failures}::int > 0 then progress || jsonb_build_object('failures', ${failures}::int) end,
        is_known = is_known and (not ${isOver} or state is not distinct from 'failed'),
        state = case when ${isOver} then 'failed' else state end
      where ${isLeased(due)}`,
  );
}

/** Compares a day again. False when it was never compared. */
export async function recheckDay(tx: Tx, day: string, now: Date): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql`update reconciled_days set due_at = ${now}, progress = null, tries = 0, is_known = true where day = ${day} returning day`,
  );
  return rows.length > 0;
}

/** Compares a day again whose result is older than what the ledger says of it since. */
export async function recheckOlderResult(
  tx: Tx,
  { day, since }: { day: string; since: Date },
  now: Date,
): Promise<void> {
  await queryRows(
    tx,
    sql`update reconciled_days set due_at = ${now}, progress = null, tries = 0
      where day = ${day} and due_at is null and checked_at <= ${since}`,
  );
}

export type ReconciledDayRow = {
  readonly day: string;
  readonly state: DayState | null;
  readonly checkedAt: Date | null;
  readonly ours: DaySums | null;
  readonly theirs: DaySums | null;
  readonly counts: DayCounts | null;
  readonly differing: number;
  readonly isDue: boolean;
  readonly failure: string | null;
};

const DAY_COLUMNS = sql`day, state, checked_at as "checkedAt", ours, theirs, counts, differing, due_at is not null as "isDue", failure`;

export const listReconciledDays = (tx: Tx, { limit, offset }: PageBounds): Promise<ReconciledDayRow[]> =>
  queryRows(tx, sql`select ${DAY_COLUMNS} from reconciled_days order by day desc limit ${limit} offset ${offset}`);

type NumberedDifference = DayDifference & { readonly orderNumber: number | null };

/** With the amounts that differ, and the numbers of their orders. */
export const findReconciledDay = (
  tx: Tx,
  day: string,
): Promise<(ReconciledDayRow & { differences: NumberedDifference[] }) | undefined> =>
  queryRow(
    tx,
    sql`select ${DAY_COLUMNS}, (select coalesce(jsonb_agg(x.value || jsonb_build_object('orderNumber', o.number) order by x.place), '[]')
        from jsonb_array_elements(differences) with ordinality as x (value, place)
          left join orders o on o.id = (x.value ->> 'orderId')::uuid) as differences
      from reconciled_days where day = ${day}`,
  );
