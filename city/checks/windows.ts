import { type RawBuilder, sql } from 'kysely';
import { type Database, queryRows } from '../../server/db/database.ts';
import type { RunLog } from '../findings.ts';
import { idsIn } from './database.ts';

type Touched = { readonly orderId: string; readonly at: Date };
type Facts = {
  /** How many orders a window takes. */
  readonly places: number;
  /** The orders whose windows somebody has closed, and when. */
  readonly touched: readonly Touched[];
};

/** Orders, and not what is booked for them: so this does not repeat a mistake of the bookings. */
const ABOVE_PLACES = (places: number) => sql`select format('%s orders have the %s at %s, which takes %s',
    count(*), w.kind, w.starts, ${places}::int) as what
  from orders o cross join lateral (values ('pickup', o.pickup_from, o.self_delivery), ('return', o.return_from, o.self_pickup))
    w (kind, starts, is_self)
  where o.status not in ('Cancelled', 'Rejected') and w.starts is not null and not w.is_self
  group by w.kind, w.starts having count(*) > ${places}::int`;

/** Scrubs set their week before their first order, and keep it. */
const ABOVE_WEEK = sql`select format('the Scrub %s has %s orders with %s pounds on %s, and takes %s and %s', d.scrub_id, d.orders, d.pounds, d.day,
    coalesce(w.orders_a_day::text, 'any'), coalesce(w.pounds_a_day::text, 'any')) as what
  from scrub_days d join scrub_weeks w using (scrub_id)
  where d.orders > w.orders_a_day or d.pounds > w.pounds_a_day`;

/** What the people of an order have agreed on afterwards, and what a Scrub keeps, is theirs to decide. */
const PLACED_TIMES = sql`orders o where o.pickup_from is not null and o.round = 1 and o.status not in ('Cancelled', 'Rejected')
  and not exists (select from proposals p where p.order_id = o.id)`;
/** Scrubs of a city have the same hours each day; until midnight is the end of the day. */
const OUTSIDE_HOURS = sql`select format('order %s comes or goes outside the hours of its Scrub', o.id) as what
  from (select o.* from ${PLACED_TIMES}) o join scrub_weeks w on w.scrub_id = o.scrub_id and jsonb_array_length(w.hours) > 0
    cross join lateral (select (w.hours -> 0 ->> 'from')::interval as opens,
      replace(w.hours -> 0 ->> 'until', '00:00', '24:00')::interval as closes) h
    cross join lateral (values (o.pickup_from, o.pickup_until), (o.return_from, o.return_until)) span (starts, ends)
  where (span.starts at time zone 'UTC')::time::interval < h.opens
    or (span.starts at time zone 'UTC')::time::interval + (span.ends - span.starts) > h.closes`;
const ON_DAY_OFF = sql`select format('order %s has a window on a day on which its Scrub does not work', o.id) as what
  from (select o.* from ${PLACED_TIMES}) o join scrub_days_off x on x.scrub_id = o.scrub_id and x.added_at < o.created_at
  where to_char(o.pickup_from at time zone 'UTC', 'YYYY-MM-DD') between x.from_on and x.until_on
    or to_char(o.return_from at time zone 'UTC', 'YYYY-MM-DD') between x.from_on and x.until_on`;

/** A closure is an answer to what was shown before, so an order may have gone on in between. */
const NOT_ASKED = (
  touched: readonly Touched[],
) => sql`select format('order %s has a window in a time that is closed since %s, and nobody asked its Bud',
    o.id, t.at) as what
  from unnest(${touched.map(({ orderId }) => orderId)}::uuid[], ${touched.map(({ at }) => at)}::timestamptz[]) t (id, at)
    join orders o using (id)
  where o.status in ('Requested', 'Accepted', 'In_Progress')
    and not exists (select from proposals p where p.order_id = o.id and (p.made_at >= t.at or p.answer is null))
    and not exists (select from steps s left join deliveries d on d.id = s.subject_id
      where o.id in (s.subject_id, d.order_id) and s.at >= t.at)`;

/** Reports windows and days that are fuller than they can be, and Buds whom nobody has asked about a time at which nobody comes. */
export async function checkWindows({ db }: Database, { places, touched }: Facts, log: RunLog): Promise<void> {
  const check = async (promise: string, query: RawBuilder<unknown>) => {
    for (const { what } of await queryRows<{ what: string }>(db, query)) log.report(promise, what, idsIn(what));
  };
  await check('no window has more orders than places', ABOVE_PLACES(places));
  await check('no Scrub has more than they take on a day', ABOVE_WEEK);
  for (const query of [OUTSIDE_HOURS, ON_DAY_OFF])
    await check('nobody orders a time at which their Scrub does not work', query);
  if (touched.length > 0) await check('each order that a closure touches is asked about', NOT_ASKED(touched));
}
