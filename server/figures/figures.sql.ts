import { type RawBuilder, sql } from 'kysely';
import type { DuberId, ScrubId } from '../../domain/accounts.ts';
import { type FiguresBy, ORDER_AGAIN_WITHIN_MS } from '../../domain/figures.ts';
import type { LedgerAccount } from '../../domain/ledger.ts';
import { isBackInTime, literals } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** The orders that were placed from `since` to `until`. Weeks begin in the time zone. */
export type Period = {
  readonly since: Date;
  readonly until: Date;
  readonly timeZone: string;
  readonly now: Date;
};

/** Times as numbers of their unit, amounts in cents that may have fractions. Null where no order says anything. */
export type FiguresOfOrders = {
  readonly orders: number;
  readonly completed: number;
  readonly minutesToYes: number | null;
  readonly slowMinutesToYes: number | null;
  readonly onTime: number | null;
  readonly hoursToReturn: number | null;
  readonly orderedAgain: number | null;
  readonly scrubHourly: number | null;
  readonly duberHourly: number | null;
  readonly kept: number;
};

export type KeyedFigures = FiguresOfOrders & {
  readonly key: string | null;
  readonly name: string | null;
  readonly isTotal: boolean;
};

/** What is left in these accounts is the town's. */
const KEPT_ACCOUNTS = [
  'platform-revenue',
  'refund-costs',
  'card-fees',
  'promotions',
] as const satisfies readonly LedgerAccount[];

const hoursUntil = (end: RawBuilder<unknown>, start: RawBuilder<unknown>) =>
  sql`(extract(epoch from ${end} - ${start}) / 3600)::float8`;

/** The hours and the earnings of a delivery `d` that its Duber has delivered, as `trip`. */
const TRIP = sql`lateral (select
    (select ${hoursUntil(sql`d.delivered_at`, sql`max(s.at)`)} from steps s
      where s.subject_id = d.id and s.action = 'accept-delivery' and s.actor_id = d.duber_id) as hours,
    (select coalesce(sum(e.cents), 0) from earnings e
      where e.delivery_id = d.id and e.duber_id = d.duber_id and e.undone_at is null) as cents) trip`;

/** What became of each order of the period. The ledger of an order begins after it was placed. */
const factsOf = ({ since, until, timeZone, now }: Period, scrub?: ScrubId) => sql`
  placed as (
    select o.id, o.bud_id, o.scrub_id, o.zone_id, o.status = 'Completed' as is_completed, o.self_pickup, o.created_at,
        o.promised_at is null or o.self_pickup or o.holder_role = 'Bud' as is_back,
        ${isBackInTime('o')} as was_back_in_time,
        to_char(date_trunc('week', o.created_at at time zone ${timeZone}::text), 'YYYY-MM-DD') as week
      from orders o where o.created_at >= ${since}::timestamptz and o.created_at < ${until}::timestamptz
        ${scrub ? sql`and o.scrub_id = ${scrub}::uuid` : sql``}),
  money as (
    select p.id, -sum(l.amount) filter (where l.account <> 'scrub') as kept,
        -sum(l.amount) filter (where l.account = 'scrub' and l.party = p.scrub_id) as earned
      from ledger_lines l join ledger_entries e on e.id = l.entry_id join placed p on p.id = e.order_id
      where l.at >= ${since}::timestamptz
        and ${scrub ? sql`l.party = ${scrub}::uuid and l.account = 'scrub'` : sql`l.account in ('scrub', ${literals(KEPT_ACCOUNTS)})`}
      group by p.id),
  facts as (
    select p.*, coalesce(money.kept, 0) as kept,
        case when yes_at > asked_at then 60 * ${hoursUntil(sql`yes_at`, sql`asked_at`)} end as minutes_to_yes,
        case when is_late or has_missed and not was_back_in_time then 0.0
          when completed_at is not null and is_back then 1.0 end as on_time,
        case when p.is_completed
          then ${hoursUntil(sql`case when p.self_pickup then completed_at else back_at end`, sql`yes_at`)} end as hours_to_return,
        case when p.is_completed then ${hoursUntil(sql`completed_at`, sql`started_at`)} end as scrub_hours,
        case when p.is_completed then money.earned end as scrub_cents, duber_hours, duber_cents,
        case when p.is_completed and p.created_at + ${within} <= ${now}::timestamptz then exists (
          select from orders n where n.bud_id = p.bud_id and n.created_at > p.created_at and n.created_at <= p.created_at + ${within}
            and n.status not in ('Cancelled', 'Rejected')) end as ordered_again
      from placed p left join money on money.id = p.id
        cross join lateral (
          select max(s.at) filter (where s.action in ('place-order', 'choose-scrub')) as asked_at,
              max(s.at) filter (where s.action = 'accept-order') as yes_at,
              min(s.at) filter (where s.action = 'start-order') as started_at,
              min(s.at) filter (where s.action = 'complete-order') as completed_at,
              coalesce(bool_or(s.action = 'late'), false) as is_late,
              coalesce(bool_or(s.action = 'promise-missed'), false) as has_missed
            from steps s where s.subject_id = p.id) step
        cross join lateral (
          select min(d.delivered_at) filter (where d.delivery_type = 'Scrub_To_Bud') as back_at,
              sum(trip.hours) as duber_hours, sum(trip.cents) as duber_cents
            from deliveries d cross join ${TRIP} where d.order_id = p.id and d.status = 'Delivered') delivery)`;

const within = sql`make_interval(secs => ${sql.lit(ORDER_AGAIN_WITHIN_MS / 1000)})`;

const quantile = (share: number, of: string) =>
  sql`percentile_cont(${sql.lit(share)}) within group (order by ${sql.raw(of)})`;

const FIGURES = sql`count(*)::int as orders, (count(*) filter (where is_completed))::int as completed,
  ${quantile(0.5, 'minutes_to_yes')} as "minutesToYes", ${quantile(0.9, 'minutes_to_yes')} as "slowMinutesToYes",
  avg(on_time)::float8 as "onTime", ${quantile(0.5, 'hours_to_return')} as "hoursToReturn",
  (count(distinct bud_id) filter (where ordered_again))::float8
    / nullif(count(distinct bud_id) filter (where ordered_again is not null), 0) as "orderedAgain",
  (sum(scrub_cents) / nullif(sum(scrub_hours), 0))::float8 as "scrubHourly",
  (sum(duber_cents) / nullif(sum(duber_hours), 0))::float8 as "duberHourly", coalesce(sum(kept), 0)::float8 as kept`;

const KEYS = { week: sql`week`, zone: sql`zone_id::text`, scrub: sql`scrub_id::text` };
const NAMES = {
  week: sql`null::text`,
  zone: sql`(select z.name from zones z where z.id = r.key::uuid)`,
  scrub: sql`(select u.fullname from users u where u.id = r.key::uuid)`,
};

/** The figures of all orders of a period, then those of a page of its weeks, zones or Scrubs, most orders first. */
export const listFigures = (
  tx: Tx,
  period: Period,
  { by, limit, offset }: { by: FiguresBy; limit: number; offset: number },
): Promise<KeyedFigures[]> =>
  queryRows(
    tx,
    sql`with ${factsOf(period)},
      keyed as (select *, ${KEYS[by]} as key from facts),
      grouped as (select key, grouping(key) = 1 as "isTotal", ${FIGURES} from keyed group by grouping sets ((key), ())),
      numbered as (select *, row_number() over (order by "isTotal" desc, orders desc, key) - 2 as n from grouped)
      select ${NAMES[by]} as name, r.* from numbered r
        where r."isTotal" or r.n between ${offset}::int and ${offset + limit - 1}::int order by r.n`,
  );

/** How many orders were placed in a period, counted up to one more than `most`. */
export async function countOrders(tx: Tx, { since, until }: Period, most: number): Promise<number> {
  const counted = await queryRow<{ orders: number }>(
    tx,
    sql`select count(*)::int as orders from (select from orders o where o.created_at >= ${since}::timestamptz
      and o.created_at < ${until}::timestamptz limit ${most + 1}) counted`,
  );
  return counted?.orders ?? 0;
}

export type FiguresOfWork = {
  readonly done: number;
  readonly minutesToYes: number | null;
  readonly hourly: number | null;
};

/** The same of one Scrub. */
export const readFiguresOfScrub = (tx: Tx, period: Period, scrub: ScrubId): Promise<FiguresOfWork | undefined> =>
  queryRow(
    tx,
    sql`with ${factsOf(period, scrub)}, figures as (select ${FIGURES} from facts)
      select completed as done, "minutesToYes", "scrubHourly" as hourly from figures`,
  );

/** Of the deliveries that were opened in a period, and that the Duber has delivered. */
export const readFiguresOfDuber = (
  tx: Tx,
  { since, until }: Period,
  duber: DuberId,
): Promise<FiguresOfWork | undefined> =>
  queryRow(
    tx,
    sql`select count(*)::int as done, null as "minutesToYes",
        (sum(trip.cents) / nullif(sum(trip.hours), 0))::float8 as hourly
      from deliveries d cross join ${TRIP}
      where d.duber_id = ${duber}::uuid and d.status = 'Delivered'
        and d.created_at >= ${since}::timestamptz and d.created_at < ${until}::timestamptz`,
  );

export const readRating = (tx: Tx, id: ScrubId | DuberId): Promise<{ sum: number; count: number }> =>
  tx
    .selectFrom('users')
    .select(['rating_sum as sum', 'rating_count as count'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
