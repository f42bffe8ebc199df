import { sql } from 'kysely';
import { type Database, queryRow } from '../../server/db/database.ts';
import type { CityOptions } from '../options.ts';

/** What a day was like for its people, in minutes of the city and dollars. Null where nothing happened. */
export type Measures = {
  readonly orders: number;
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
  minutesToAccept: 'minutes until a Scrub accepts, half of the orders',
  minutesToScrub: 'minutes from there to the Scrub',
  minutesHome: 'minutes from the wash back home',
  cancelledPercent: 'percent of the orders cancelled or rejected',
  scrubEarnsAnHour: 'dollars a Scrub earns an hour',
  duberEarnsAnHour: 'dollars a Duber earns an hour',
  platformEarns: 'dollars the platform earns, less promo codes',
};

type Row = {
  orders: number;
  cancelled: number;
  accept_s: number | null;
  scrub_s: number | null;
  home_s: number | null;
  scrub: number;
  duber: number;
  platform: number;
};

const HALF = sql`percentile_cont(0.5) within group`;
const secondsBetween = (from: string, to: string) =>
  sql`(order by extract(epoch from ${sql.ref(to)} - ${sql.ref(from)}))::float8`;
const earnedBy = (...accounts: string[]) =>
  sql`(select coalesce(-sum(amount), 0)::float8 / 100 from ledger_lines where account in (${sql.join(accounts.map((account) => sql.lit(account)))}))`;

export async function measureDay({ db }: Database, options: CityOptions): Promise<Measures> {
  const row = await queryRow<Row>(
    db,
    sql`with times as (
      select o.id, o.status, o.created_at as placed,
        (select min(s.at) from steps s where s.subject_id = o.id and s.status = 'Accepted') as accepted,
        (select min(d.delivered_at) from deliveries d where d.order_id = o.id and d.delivery_type = 'Bud_To_Scrub') as arrived,
        o.completed_at as washed,
        (select min(d.delivered_at) from deliveries d where d.order_id = o.id and d.delivery_type = 'Scrub_To_Bud') as home
      from orders o)
    select count(*)::integer as orders, (count(*) filter (where status in ('Cancelled', 'Rejected')))::integer as cancelled,
      ${HALF} ${secondsBetween('placed', 'accepted')} as accept_s, ${HALF} ${secondsBetween('accepted', 'arrived')} as scrub_s,
      ${HALF} ${secondsBetween('washed', 'home')} as home_s,
      ${earnedBy('scrub')} as scrub, ${earnedBy('duber')} as duber, ${earnedBy('platform-revenue', 'promotions')} as platform
    from times`,
  );
  if (!row) throw new Error('the day cannot be measured');
  const { speed, minutes, scrubs, dubers } = options;
  const inCity = (seconds: number | null) => (seconds === null ? null : round((seconds / 60) * speed));
  const hours = (minutes * speed) / 60;
  return {
    orders: row.orders,
    minutesToAccept: inCity(row.accept_s),
    minutesToScrub: inCity(row.scrub_s),
    minutesHome: inCity(row.home_s),
    cancelledPercent: row.orders === 0 ? null : round((100 * row.cancelled) / row.orders),
    scrubEarnsAnHour: round(row.scrub / hours / scrubs),
    duberEarnsAnHour: round(row.duber / hours / dubers),
    platformEarns: round(row.platform),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Two days side by side, as lines of text. */
export function compareDays(before: Measures, after: Measures): string[] {
  const names = Object.keys(MEASURE_NAMES) as (keyof Measures)[];
  const show = (value: number | null) => (value === null ? '–' : String(value)).padStart(10);
  return [
    `${''.padEnd(52)}${'as it is'.padStart(10)}${'what if'.padStart(10)}`,
    ...names.map((name) => `${MEASURE_NAMES[name].padEnd(52)}${show(before[name])}${show(after[name])}`),
  ];
}
