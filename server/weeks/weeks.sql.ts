import { type RawBuilder, sql } from 'kysely';
import type { Calendar, ScrubWeek } from '../../contract/weeks.ts';
import type { ScrubId } from '../../domain/accounts.ts';
import type { Hours } from '../../domain/hours.ts';
import type { OrderSize } from '../../domain/orders.ts';
import { type DaysOff, EVERY_DAY } from '../../domain/weeks.ts';
import { isKeptFromWork } from '../auth/restrictions.sql.ts';
import { isBack, isoTime, isPromiseOpen } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';

export type StoredWeek = ScrubWeek & { readonly hasFeed: boolean };

/** What a Scrub has set, or that they work always. */
export async function readWeek(tx: Tx, scrub: string): Promise<StoredWeek> {
  const row = await tx.selectFrom('scrub_weeks').selectAll().where('scrub_id', '=', scrub).executeTakeFirst();
  if (!row) return { ...EVERY_DAY, hasFeed: false };
  const { hours, pounds_a_day: poundsADay, orders_a_day: ordersADay, sizes, notice_hours: noticeHours } = row;
  return {
    ...{ poundsADay, ordersADay, noticeHours, hours: [...(hours as Hours)] },
    ...{ sizes: sizes as OrderSize[] | null, hasFeed: row.feed_hash !== null },
  };
}

/** The changes of one Scrub take turns. */
export const lockScrub = (tx: Tx, scrub: ScrubId) =>
  tx.selectFrom('users').select('id').where('id', '=', scrub).forNoKeyUpdate().execute();

export async function saveWeek(tx: Tx, scrub: ScrubId, week: ScrubWeek, now: Date): Promise<void> {
  const { hours, poundsADay, ordersADay, sizes, noticeHours } = week;
  const columns = {
    ...{ pounds_a_day: poundsADay, orders_a_day: ordersADay, sizes, notice_hours: noticeHours },
    ...{ hours: JSON.stringify(hours), updated_at: now },
  };
  await tx
    .insertInto('scrub_weeks')
    .values({ ...columns, scrub_id: scrub })
    .onConflict((conflict) => conflict.column('scrub_id').doUpdateSet(columns))
    .execute();
}

/** Sets the digest of the secret address of the calendar; null for none. */
export async function saveFeed(tx: Tx, scrub: ScrubId, hash: Buffer | null): Promise<void> {
  await tx.updateTable('scrub_weeks').set({ feed_hash: hash }).where('scrub_id', '=', scrub).execute();
}

/** Nobody reads the calendar of a Scrub who is suspended. That of an erased one is gone. */
export async function findScrubOfFeed(tx: Tx, hash: Buffer): Promise<{ id: ScrubId; fullname: string } | undefined> {
  const row = await tx
    .selectFrom('scrub_weeks as w')
    .innerJoin('users as u', 'u.id', 'w.scrub_id')
    .select(['u.id', 'u.fullname'])
    .where('w.feed_hash', '=', hash)
    .where(({ not }) => not(isKeptFromWork(sql`u.id`)))
    .executeTakeFirst();
  return row && { ...row, id: row.id as ScrubId };
}

/** The days off that are not over, soonest first. */
export const listDaysOff = (tx: Tx, scrub: ScrubId, today: string) =>
  tx
    .selectFrom('scrub_days_off')
    .select(['id', 'from_on as from', 'until_on as until'])
    .where('scrub_id', '=', scrub)
    .where('until_on', '>=', today)
    .orderBy('from_on')
    .orderBy('id')
    .execute();

export async function insertDaysOff(tx: Tx, scrub: ScrubId, days: DaysOff & { readonly id: string }, now: Date) {
  const { id, from, until } = days;
  await tx
    .insertInto('scrub_days_off')
    .values({ id, scrub_id: scrub, from_on: from, until_on: until, added_at: now })
    .execute();
}

export async function deleteDaysOff(tx: Tx, scrub: ScrubId, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('scrub_days_off')
    .where('id', '=', id)
    .where('scrub_id', '=', scrub)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

type Job = Calendar['days'][number]['jobs'][number];
/** Laundry that comes or goes in a window. */
type TimedJob = Job & { readonly kind: 'pickup' | 'return'; readonly window: NonNullable<Job['window']> };
export type CalendarRows = {
  readonly jobs: readonly TimedJob[];
  /** Orders that are done as soon as possible, and count for a day. */
  readonly soon: readonly { readonly day: string; readonly job: Job }[];
  readonly booked: readonly { readonly day: string; readonly orders: number; readonly pounds: number }[];
};

const MAX_JOBS = 400;

const jobSql = (kind: 'pickup' | 'return', scrub: ScrubId) =>
  sql`select o.id, o.number, ${sql.lit(kind)} as kind, ${sql.ref(`o.${kind}_from`)} as starts, ${sql.ref(`o.${kind}_until`)} as ends,
      o.bud_id, o.load_size from orders o where o.scrub_id = ${scrub} and o.given_back_at is null and ${isPromiseOpen('o')}
        and ${kind === 'pickup' ? sql`o.status in ('Requested', 'Accepted')` : sql`not ${isBack('o')}`}`;

type Span = { readonly from: Date; readonly until: Date };

/** The laundry of unfinished orders with windows that comes and goes, as JSON: between two times, or all of it. */
function jobsSql(scrub: ScrubId, span?: Span): RawBuilder<readonly TimedJob[]> {
  const within = span ? sql`where starts >= ${span.from} and starts < ${span.until}` : sql``;
  return sql`coalesce((select json_agg(json_build_object('orderId', j.id, 'number', 'R-' || j.number, 'kind', j.kind,
      'window', json_build_object('from', ${isoTime('j.starts')}, 'until', ${isoTime('j.ends')}),
      'bud', split_part(u.fullname, ' ', 1), 'loadSize', j.load_size) order by j.starts, j.id)
    from (select * from (${jobSql('pickup', scrub)} union all ${jobSql('return', scrub)}) all_jobs ${within}
      order by starts, id limit ${MAX_JOBS}) j join users u on u.id = j.bud_id), '[]'::json)`;
}

/** All laundry of a Scrub that comes and goes, however far ahead. */
export async function listJobs(tx: Tx, scrub: ScrubId): Promise<readonly TimedJob[]> {
  const row = await queryRow<{ jobs: readonly TimedJob[] }>(tx, sql`select ${jobsSql(scrub)} as jobs`);
  return row?.jobs ?? [];
}

/** The laundry that comes and goes between two times, and what all orders together have booked on each day. */
export async function readCalendarRows(
  tx: Tx,
  scrub: ScrubId,
  span: Span & { readonly firstDay: string; readonly lastDay: string },
): Promise<CalendarRows> {
  const { firstDay, lastDay } = span;
  const row = await queryRow<CalendarRows>(
    tx,
    sql`select ${jobsSql(scrub, span)} as jobs,
      coalesce((select json_agg(json_build_object('day', b.day, 'job', json_build_object('orderId', o.id, 'number', 'R-' || o.number,
          'kind', 'soon', 'bud', split_part(u.fullname, ' ', 1), 'loadSize', o.load_size)) order by o.created_at, o.id)
        from orders o join bookings b on b.order_id = o.id join users u on u.id = o.bud_id
        where o.scrub_id = ${scrub} and o.status in ('Requested', 'Accepted', 'In_Progress') and o.given_back_at is null
          and o.promised_at is null and b.day between ${firstDay} and ${lastDay}), '[]'::json) as soon,
      coalesce((select json_agg(json_build_object('day', d.day, 'orders', d.orders, 'pounds', d.pounds)) from scrub_days d
        where d.scrub_id = ${scrub} and d.day between ${firstDay} and ${lastDay}), '[]'::json) as booked`,
  );
  return row ?? { jobs: [], soon: [], booked: [] };
}
