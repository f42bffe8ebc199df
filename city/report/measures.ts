import { sql } from 'kysely';
import { MINUTE_MS } from '../../domain/durations.ts';
import type { WindowKind } from '../../domain/windows.ts';
import { type Database, queryRow, queryRows } from '../../server/db/database.ts';
import type { CityOptions } from '../options.ts';
import { REFUSED_FOR_PLACE, REFUSED_FOR_SCRUB } from '../people/times.ts';
import type { Calendar } from '../townClock.ts';
import type { Figures } from './figures.ts';

/** What a day was like for its people, in minutes of the city and dollars. Null where nothing happened. */
export type Measures = {
  readonly orders: number;
  /** How often a Bud could not order, because no place was left at a time, or no Scrub was free then. */
  readonly refusedForPlace: number;
  readonly refusedForScrub: number;
  /** Of the promised times that have come by the end of the night. */
  readonly onTimePercent: number | null;
  readonly minutesToAccept: number | null;
  readonly minutesToScrub: number | null;
  readonly minutesHome: number | null;
  readonly cancelledPercent: number | null;
  readonly scrubEarnsAnHour: number;
  readonly duberEarnsAnHour: number;
  readonly platformEarns: number;
};

export const MEASURE_NAMES: Readonly<Record<keyof Measures, string>> = {
  orders: 'orders placed',
  refusedForPlace: 'orders refused for lack of a place',
  refusedForScrub: 'orders refused for lack of a Scrub',
  onTimePercent: 'percent of the promises kept',
  minutesToAccept: 'minutes until a Scrub accepts, half of the orders',
  minutesToScrub: 'minutes from there to the Scrub',
  minutesHome: 'minutes from the wash back home',
  cancelledPercent: 'percent of the orders cancelled or rejected',
  scrubEarnsAnHour: 'dollars a Scrub earns an hour',
  duberEarnsAnHour: 'dollars a Duber earns an hour',
  platformEarns: 'dollars the platform earns, less promo codes',
};

/** The times of an order, in the time of the servers. */
type Times = Readonly<Record<'placed' | 'accepted' | 'arrived' | 'washed' | 'home', Date | null>>;

type Row = {
  orders: number;
  cancelled: number;
  scrub: number;
  duber: number;
  platform: number;
};

const TIMES = sql`select o.created_at as placed,
    (select min(s.at) from steps s where s.subject_id = o.id and s.status = 'Accepted') as accepted,
    (select min(d.delivered_at) from deliveries d where d.order_id = o.id and d.delivery_type = 'Bud_To_Scrub') as arrived,
    o.completed_at as washed,
    (select min(d.delivered_at) from deliveries d where d.order_id = o.id and d.delivery_type = 'Scrub_To_Bud') as home
  from orders o`;
const earnedBy = (...accounts: string[]) =>
  sql`(select coalesce(-sum(amount), 0)::float8 / 100 from ledger_lines where account in (${sql.join(accounts.map((account) => sql.lit(account)))}))`;

/** The value in the middle; null of none. */
const half = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
};

export type MeasuredDay = {
  readonly options: CityOptions;
  readonly calendar: Calendar;
  readonly figures: Pick<Figures, 'counts'>;
};

export async function measureDay({ db }: Database, { options, calendar, figures }: MeasuredDay): Promise<Measures> {
  const row = await queryRow<Row>(
    db,
    sql`select count(*)::integer as orders, (count(*) filter (where status in ('Cancelled', 'Rejected')))::integer as cancelled,
      ${earnedBy('scrub')} as scrub, ${earnedBy('duber')} as duber, ${earnedBy('platform-revenue', 'promotions')} as platform
    from orders`,
  );
  if (!row) throw new Error('the day cannot be measured');
  const { speed, minutes, scrubs, dubers } = options;
  const times = await queryRows<Times>(db, TIMES);
  // Hours that pass at once are as long in the city.
  const minutesBetween = (from: Date, until: Date) => {
    const skipped = calendar.skippedBetween(from, until);
    return ((until.getTime() - from.getTime() - skipped) * speed + skipped) / MINUTE_MS;
  };
  const halfOf = (from: keyof Times, until: keyof Times) => {
    const all = times.flatMap((one) => (one[from] && one[until] ? [minutesBetween(one[from], one[until])] : []));
    const middle = half(all);
    return middle === null ? null : round(middle);
  };
  const end = calendar.now();
  const hours = minutesBetween(calendar.now(minutes * MINUTE_MS), end) / 60;
  const percent = (count: number, of: number) => (of === 0 ? null : round((100 * count) / of));
  const countOf = (what: string) => figures.counts[what] ?? 0;
  return {
    orders: row.orders,
    refusedForPlace: countOf(REFUSED_FOR_PLACE),
    refusedForScrub: countOf(REFUSED_FOR_SCRUB),
    onTimePercent: null,
    minutesToAccept: halfOf('placed', 'accepted'),
    minutesToScrub: halfOf('accepted', 'arrived'),
    minutesHome: halfOf('washed', 'home'),
    cancelledPercent: percent(row.cancelled, row.orders),
    scrubEarnsAnHour: round(row.scrub / hours / scrubs),
    duberEarnsAnHour: round(row.duber / hours / dubers),
    platformEarns: round(row.platform),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;

/** How many of the promised times that have come were kept. */
export async function readOnTimePercent({ db }: Database): Promise<number | null> {
  const row = await queryRow<{ percent: number | null }>(
    db,
    sql`select round(100.0 * count(*) filter (where o.status = 'Completed' and o.holder_role = 'Bud' and o.held_since <= o.promised_at)
        / nullif(count(*), 0), 2)::float8 as percent
      from orders o where o.promised_at <= now() and o.status not in ('Requested', 'Cancelled', 'Rejected')`,
  );
  return row?.percent ?? null;
}

/** A window that somebody has chosen. */
export type WindowUse = {
  readonly kind: WindowKind;
  readonly from: string;
  readonly taken: number;
};

/** The windows with orders, soonest first. */
export async function readWindowUse({ db }: Database): Promise<WindowUse[]> {
  const rows = await queryRows<Omit<WindowUse, 'from'> & { from: Date }>(
    db,
    sql`select kind, starts_at as "from", sum(taken)::integer as taken from window_places where taken > 0
      group by kind, starts_at order by starts_at, kind`,
  );
  return rows.map((row) => ({ ...row, from: row.from.toISOString() }));
}

/** Two days side by side, as lines of text. */
export function compareDays(before: Measures, after: Measures): string[] {
  const names = Object.keys(MEASURE_NAMES) as (keyof Measures)[];
  const show = (value: number | null) => (value === null ? '–' : String(value)).padStart(10);
  return [
    `${''.padEnd(52)}${'as it is'.padStart(10)}${'what if'.padStart(10)}`,
    ...names.map((name) => `${MEASURE_NAMES[name].padEnd(52)}${show(before[name])}${show(after[name])}`),
  ];
}
