import { type RawBuilder, sql } from 'kysely';
import { AT_RISK_MS } from '../../domain/promises.ts';
import { BOOKED_PARTS, type BookedPart, type TimeWindow } from '../../domain/windows.ts';
import { columnsOf, isBack, isPromiseOpen } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';

// What Today counts of the orders with windows, and what the list of orders shows of them: the same conditions.

const order = columnsOf('orders', 'o');

/** Whether an order `o` is neither back nor on the way back, and its promised time is near or missed. */
export const isAtRisk = (now: Date): RawBuilder<boolean> =>
  sql`(o.promised_at <= ${new Date(now.getTime() + AT_RISK_MS)}::timestamptz
    and (o.status in ('Accepted', 'In_Progress') or o.status = 'Completed' and o.holder_role = 'Scrub'))`;

/** Orders `o` whose window of a kind begins on a day. What is at risk of earlier days counts on the first one. */
const PARTS: Readonly<Record<BookedPart, (day: RawBuilder<boolean>, now: Date) => RawBuilder<boolean>>> = {
  pickup: (day) => sql`(${day} and not o.self_delivery)`,
  return: (day) => sql`(${day} and not o.self_pickup)`,
  promised: (day) => sql`(${day} and not ${isBack('o')})`,
  'at-risk': (day, now) => sql`(${day} and ${isAtRisk(now)})`,
};

/** Without a start, from the beginning of time. */
type Day = { readonly from: Date | undefined; readonly until: Date };

/** Whether an order `o` counts in a part of a day, or of any day. */
export function isBooked(part: BookedPart, day: Day | undefined, now: Date): RawBuilder<boolean> {
  const starts = order(part === 'pickup' ? 'pickup_from' : 'return_from');
  const isAfter = day?.from ? sql`${starts} >= ${day.from}::timestamptz` : sql`true`;
  const isOfDay = day ? sql<boolean>`(${isAfter} and ${starts} < ${day.until}::timestamptz)` : sql<boolean>`true`;
  return sql`(${isPromiseOpen('o')} and ${PARTS[part](isOfDay, now)})`;
}

/** The day on which a part of Today counts. */
export const dayOfPart = (part: BookedPart, { from, until }: TimeWindow, isFirst: boolean): Day => ({
  from: part === 'at-risk' && isFirst ? undefined : from,
  until,
});

export type BookedCounts = Readonly<Record<BookedPart, number>> & { readonly zoneId: string | null };

/** How many orders count in each part of a day, in each zone that has some. */
export const countBooked = (tx: Tx, day: TimeWindow, isFirst: boolean, now: Date): Promise<BookedCounts[]> =>
  queryRows(
    tx,
    sql`select o.zone_id as "zoneId", ${sql.join(
      BOOKED_PARTS.map(
        (part) =>
          sql`count(*) filter (where ${isBooked(part, dayOfPart(part, day, isFirst), now)})::int as ${sql.ref(part)}`,
      ),
    )} from orders o where ${isPromiseOpen('o')} group by o.zone_id`,
  );
