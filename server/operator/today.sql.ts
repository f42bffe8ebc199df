import { type RawBuilder, sql } from 'kysely';
import {
  type DeliveryThatWaits,
  MAP_PINS,
  TODAY_COUNT_MAX,
  TODAY_ROWS,
  type Today,
  type TownMap,
} from '../../contract/operator/today.ts';
import { BEFORE_PICKUP } from '../../domain/deliveries.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { approximatePointSql, streetOf } from '../db/approximate.sql.ts';
import { isActiveDelivery, isExactPosition, isoTime, isPromiseOpen, literals, orderNumber } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { isFinished } from '../db/finishedCases.sql.ts';
import { isAtRisk } from './todayWindows.sql.ts';

// What Today lists. Raw SQL: each list is what an index has, at most TODAY_COUNT_MAX rows of it, and the oldest of these.

type List<T> = { readonly count: number; readonly items: T[] };
type OrderThatWaits = Today['unanswered']['items'][number];

/** The oldest rows of `from`, which has the columns id and since, as `row` makes them; and how many there are. */
async function list<T>(tx: Tx, from: RawBuilder<unknown>, row: RawBuilder<unknown>): Promise<List<T>> {
  const rows = await queryRows<T & { total: number }>(
    tx,
    sql`with waiting as materialized (${from}), shown as (select * from waiting order by since, id limit ${sql.lit(TODAY_ROWS)})
      select found.*, (select count(*)::int from waiting) as total from (${row}) found`,
  );
  return { count: rows[0]?.total ?? 0, items: rows.map(({ total: _total, ...item }) => item as unknown as T) };
}

const MOST = sql.lit(TODAY_COUNT_MAX);

const ORDER_ROW = sql`select w.id as "orderId", ${orderNumber} as "orderNumber", ${isoTime('w.since')} as since,
    b.fullname as bud, s.fullname as scrub
  from shown w join orders o on o.id = w.id join users b on b.id = o.bud_id join users s on s.id = o.scrub_id
  order by w.since, w.id`;

/** The street of an address, without the house. */
const street = (address: RawBuilder<unknown>) => sql`split_part(${streetOf(sql`(${address} ->> 'address')`)}, ',', 1)`;
const isOutbound = sql`d.delivery_type = 'Bud_To_Scrub'`;
const FROM = street(sql`(case when ${isOutbound} then o.bud_address else o.scrub_address end)`);
const TO = street(sql`(case when ${isOutbound} then o.scrub_address else o.bud_address end)`);

const DELIVERY_ROW = sql`select d.id as "deliveryId", d.order_id as "orderId", ${orderNumber} as "orderNumber",
    d.delivery_type as type, d.status, ${isoTime('w.since')} as since, u.fullname as duber, ${FROM} as "from", ${TO} as "to"
  from shown w join deliveries d on d.id = w.id join orders o on o.id = d.order_id left join users u on u.id = d.duber_id
  order by w.since, w.id`;

/** When the last step of the delivery `d` was taken. */
const LAST_STEP = sql`(select t.at from steps t where t.subject_id = d.id order by t.position desc limit 1)`;

/** Since when a delivery `d` waits for its Duber: since its last step, but not before its window when nobody has set off. */
const WAITS_SINCE = sql`(case when d.status in ('Pending', 'Accepted') then greatest(${LAST_STEP}, d.due_from) else ${LAST_STEP} end)`;

/** Deliveries `d` that meet a condition, with the time since when they wait. */
const deliveriesOf = (condition: RawBuilder<unknown>, isLong: RawBuilder<unknown>) =>
  sql`select * from (select d.id, d.status, ${WAITS_SINCE} as since from deliveries d where ${condition} limit ${MOST}) d
    where ${isLong}`;

const ordersRequested = (condition: RawBuilder<unknown>, since: RawBuilder<unknown>) =>
  sql`select o.id, ${since} as since from orders o where o.status = 'Requested' and ${condition} limit ${MOST}`;

export const listUnansweredOrders = (tx: Tx, before: Date): Promise<List<OrderThatWaits>> =>
  list(
    tx,
    ordersRequested(
      sql`o.created_at <= ${before}::timestamptz and o.given_back_at is null and o.round = 1`,
      sql`o.created_at`,
    ),
    ORDER_ROW,
  );

export const listGivenBackOrders = (tx: Tx): Promise<List<OrderThatWaits>> =>
  list(tx, ordersRequested(sql`o.given_back_at is not null`, sql`o.given_back_at`), ORDER_ROW);

/** Orders whose laundry came to the Scrub before `before`: they are a case of their own `waitMs` after that. */
export const listOrdersNotStarted = (tx: Tx, before: Date, waitMs: number): Promise<List<OrderThatWaits>> => {
  const wait = sql`interval '${sql.raw(String(waitMs))} milliseconds'`;
  return list(
    tx,
    // A timer stays until it is due, also when the order has been started meanwhile.
    sql`select t.subject_id as id, t.due_at - ${wait} as since
      from timers t join orders o on o.id = t.subject_id and o.status = 'Accepted'
      where t.subject_kind = 'order' and t.action = 'scrub-silent' and t.due_at <= ${before}::timestamptz + ${wait} limit ${MOST}`,
    ORDER_ROW,
  );
};

/** Orders that are at risk of being late, or are late. The oldest promise comes first. */
export const listOrdersAtRisk = (tx: Tx, now: Date): Promise<List<OrderThatWaits>> =>
  list(
    tx,
    sql`select o.id, o.promised_at as since from orders o
      where ${isPromiseOpen('o')} and ${isAtRisk(now)}
      order by o.promised_at limit ${MOST}`,
    ORDER_ROW,
  );

export const listUnclaimedDeliveries = (tx: Tx, before: Date): Promise<List<DeliveryThatWaits>> =>
  list(tx, deliveriesOf(sql`d.status = 'Pending'`, sql`d.since <= ${before}::timestamptz`), DELIVERY_ROW);

export const listStoppedDeliveries = (tx: Tx): Promise<List<DeliveryThatWaits>> =>
  list(tx, deliveriesOf(sql`d.status in ('Failed', 'Returned')`, sql`true`), DELIVERY_ROW);

/** Active deliveries without a sign from the Duber since `toPickup`, or since `withLaundry` once they have the laundry. */
export const listSilentDubers = (tx: Tx, toPickup: Date, withLaundry: Date): Promise<List<DeliveryThatWaits>> =>
  list(
    tx,
    deliveriesOf(
      sql`${isActiveDelivery('d')} and d.status <> 'Failed'`,
      sql`d.since <= case when d.status in (${literals(BEFORE_PICKUP)}) then ${toPickup}::timestamptz else ${withLaundry}::timestamptz end`,
    ),
    DELIVERY_ROW,
  );

export const listCasesOfTown = (tx: Tx, now: Date): Promise<Today['cases']> =>
  list(
    tx,
    sql`select c.id, c.created_at as since, c.priority from cases c
      where c.status = 'with-town' and not ${isFinished(now)}
      order by c.priority = 'high' desc, c.created_at limit ${MOST}`,
    sql`select c.id, 'C-' || c.no as number, c.kind, c.status, c.priority, ${isoTime('c.created_at')} as since,
        c.order_id as "orderId", ${orderNumber} as "orderNumber"
      from (select * from waiting order by priority = 'high' desc, since, id limit ${sql.lit(TODAY_ROWS)}) w
        join cases c on c.id = w.id left join orders o on o.id = c.order_id
      order by c.priority = 'high' desc, c.created_at, c.id`,
  );

export const listApprovalsOfTown = (tx: Tx): Promise<Today['approvals']> =>
  list(
    tx,
    sql`select a.id, a.asked_at as since from approvals a where a.status = 'waiting' limit ${MOST}`,
    sql`select a.id, a.action, (a.cents / 100.0)::float8 as amount, p.fullname as "askedBy", ${isoTime('a.asked_at')} as since
      from shown w join approvals a on a.id = w.id join operators p on p.id = a.asked_by order by w.since, w.id`,
  );

/** Workers whose documents wait: a complete set, or a replacement. */
export const listDocumentsOfTown = (tx: Tx): Promise<Today['documents']> =>
  list(
    tx,
    sql`select a.id, min(d.sent_at) as since from documents d join admissions a on a.id = d.user_id
      where d.state = 'waiting' and a.status in ('waiting', 'active') group by a.id limit ${MOST}`,
    sql`select w.id as "personId", u.fullname, u.role, ${isoTime('w.since')} as since
      from shown w join users u on u.id = w.id order by w.since, w.id`,
  );

const countOf = (from: RawBuilder<unknown>) => sql`(select count(*)::int from (select from ${from} limit ${MOST}) one)`;

type Stuck = Pick<Today, 'stuckPayments' | 'stuckRefunds' | 'differingDays' | 'givenUpMessages'>;

/** The money, days and messages that go on only when an operator acts, as from clauses. */
export const STUCK: Readonly<Record<keyof Stuck, RawBuilder<unknown>>> = {
  stuckPayments: sql`payments where state = 'stuck' or concern is not null`,
  stuckRefunds: sql`refunds where state = 'stuck'`,
  differingDays: sql`reconciled_days where state in ('differs', 'failed') and not is_known`,
  givenUpMessages: sql`notifications where state = 'given-up'`,
};

export async function countStuck(tx: Tx): Promise<Stuck> {
  const counts = Object.entries(STUCK).map(([name, from]) => sql`${countOf(from)} as ${sql.ref(name)}`);
  return (await queryRow<Stuck>(tx, sql`select ${sql.join(counts)}`)) as Stuck;
}

/** The figures of the day of `now` in a time zone. */
export async function countDay(tx: Tx, now: Date, timeZone: string): Promise<Today['counters']> {
  const day = await queryRow<{ start: Date }>(
    tx,
    sql`select date_trunc('day', ${now}::timestamptz, ${timeZone}) as start`,
  );
  const start = day?.start ?? now;
  // With an end, because a prepared statement expects few rows of a range, and uses the index.
  const end = new Date(now.getTime() + DAY_MS);
  const isToday = (column: RawBuilder<unknown>) =>
    sql`${column} >= ${start}::timestamptz and ${column} < ${end}::timestamptz`;
  const row = await queryRow<Today['counters']>(
    tx,
    sql`select ${isoTime(sql`${start}::timestamptz`)} as since, placed.*,
        (select count(*)::int from orders o where ${isToday(sql`o.completed_at`)}) as completed,
        (select count(*)::int from orders o where o.status in ('Accepted', 'In_Progress')) as "inProgress"
      from (select count(*)::int as placed,
          count(*) filter (where o.status in ('Cancelled', 'Rejected'))::int as cancelled,
          (coalesce(sum(o.total_price) filter (where o.status not in ('Cancelled', 'Rejected')), 0) / 100.0)::float8 as money
        from orders o where ${isToday(sql`o.created_at`)}) placed`,
  );
  return row as Today['counters'];
}

/** The map shows no houses: an order shows its places to who says why. */
const MAP_PLACE = approximatePointSql({
  latitude: sql`coalesce(p.latitude, d.pickup_latitude)`,
  longitude: sql`coalesce(p.longitude, d.pickup_longitude)`,
});
const SCRUB_PLACE = approximatePointSql({ latitude: sql`s.latitude`, longitude: sql`s.longitude` });

/** Deliveries that wait or are under way, where they are as far as it is known. */
export const listMapDeliveries = (tx: Tx): Promise<TownMap['deliveries']> => {
  const part = (condition: RawBuilder<unknown>) =>
    sql`(select d.* from deliveries d where ${condition} limit ${sql.lit(MAP_PINS / 2)})`;
  return queryRows(
    tx,
    sql`select d.id as "deliveryId", d.order_id as "orderId", ${orderNumber} as "orderNumber", d.delivery_type as type, d.status,
        ${isoTime(LAST_STEP as RawBuilder<Date>)} as since, ${MAP_PLACE.latitude} as latitude, ${MAP_PLACE.longitude} as longitude, p.latitude is not null as "isShared"
      from (${part(sql`d.status = 'Pending'`)} union all ${part(isActiveDelivery('d'))}) d
        join orders o on o.id = d.order_id
        left join delivery_positions p on p.delivery_id = d.id and p.latitude is not null and ${isExactPosition}
      order by d.id`,
  );
};

export const listMapScrubs = (tx: Tx): Promise<TownMap['scrubs']> =>
  queryRows(
    tx,
    sql`select s.scrub_id as id, u.fullname, ${SCRUB_PLACE.latitude} as latitude, ${SCRUB_PLACE.longitude} as longitude
      from scrub_places s join users u on u.id = s.scrub_id where s.active order by s.scrub_id limit ${sql.lit(MAP_PINS)}`,
  );
