import { type RawBuilder, sql } from 'kysely';
import type { OrderLine, Person, TownDelivery, TownOrder, TownStep } from '../../contract/operator/orders.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { APPROXIMATE_ERROR_M } from '../../domain/places.ts';
import { NO_ZONE } from '../../domain/windows.ts';
import { approximatePointSql, type SqlPoint, streetOf } from '../db/approximate.sql.ts';
import { backAt, isOnBoard, isoTime, orderNumber } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { toSql } from '../db/json.sql.ts';
import { priceJson } from '../db/orderLines.sql.ts';
import { orderSituation, WAY } from '../visibility/situations.sql.ts';

// What the console reads of one order. Raw SQL: each statement makes its JSON, as the contract has it.

const person = (alias: string): RawBuilder<Person> =>
  sql`json_build_object('id', ${sql.ref(`${alias}.id`)}, 'role', ${sql.ref(`${alias}.role`)}, 'fullname', ${sql.ref(`${alias}.fullname`)})`;
const dollars = (column: string): RawBuilder<number> => sql`(${sql.ref(column)} / 100.0)::float8`;

/** A place as it is, or near it for who has not said why they need it. */
const pointOf = (exact: SqlPoint, isShown: boolean): RawBuilder<unknown> => {
  const { latitude, longitude } = isShown ? exact : approximatePointSql(exact);
  return sql`'latitude', ${latitude}, 'longitude', ${longitude}`;
};
const columns = (alias: string, prefix = ''): SqlPoint => ({
  latitude: sql.ref(`${alias}.${prefix}latitude`),
  longitude: sql.ref(`${alias}.${prefix}longitude`),
});
const place = (column: string, isShown: boolean) => {
  const part = (name: string) => sql`(${sql.ref(column)} ->> ${sql.lit(name)})`;
  const point = { latitude: sql`${part('latitude')}::float8`, longitude: sql`${part('longitude')}::float8` };
  const address = isShown ? part('address') : streetOf(part('address'));
  return sql`json_build_object('address', ${address}, ${pointOf(point, isShown)})`;
};

type OrderHead = Pick<
  TownOrder,
  | 'id'
  | 'number'
  | 'status'
  | 'situation'
  | 'way'
  | 'round'
  | 'placedAt'
  | 'completedAt'
  | 'closedAt'
  | 'givenBackAt'
  | 'size'
  | 'ceilingSize'
  | 'selfDelivery'
  | 'selfPickup'
  | 'leaveAtDoor'
  | 'times'
  | 'missedPromise'
  | 'instructions'
  | 'price'
  | 'promo'
  | 'bud'
  | 'scrub'
  | 'budPlace'
  | 'scrubPlace'
>;

const windowOf = (kind: 'pickup' | 'return') =>
  sql`json_build_object('from', ${isoTime(`o.${kind}_from`)}, 'until', ${isoTime(`o.${kind}_until`)})`;

/** An operator sees all steps, as the Bud does. */
const EVERYTHING = { role: 'Bud', id: sql`null` } as const;

export const readOrderHead = (tx: Tx, id: string, isShown: boolean): Promise<OrderHead | undefined> =>
  queryRow(
    tx,
    sql`select o.id, ${orderNumber} as number, o.status, ${orderSituation(EVERYTHING)} as situation, ${WAY} as way,
        o.round, ${isoTime('o.created_at')} as "placedAt",
        ${isoTime('o.completed_at')} as "completedAt", ${isoTime('o.closed_at')} as "closedAt",
        ${isoTime('o.given_back_at')} as "givenBackAt", o.load_size as size, o.ceiling_size as "ceilingSize",
        o.self_delivery as "selfDelivery", o.self_pickup as "selfPickup", o.leave_at_door as "leaveAtDoor", o.instructions,
        case when o.promised_at is not null then json_build_object('pickup', ${windowOf('pickup')}, 'return', ${windowOf('return')},
          'turnaround', o.turnaround, 'promisedAt', ${isoTime('o.promised_at')}) end as times,
        (select json_build_object('amount', ${dollars('m.cents')}, 'state', m.state, 'liable', m.liable,
            'promisedAt', ${isoTime('m.promised_at')}, 'backAt', ${isoTime(backAt('o'))}, 'holder', m.holder_role, 'reason', m.reason)
          from missed_promises m where m.order_id = o.id) as "missedPromise",
        ${toSql(priceJson)}::json as price,
        case when o.promo_code is not null then json_build_object('code', o.promo_code, 'discount', ${dollars('o.discount')}) end as promo,
        ${person('b')} as bud, ${person('s')} as scrub,
        ${place('o.bud_address', isShown)} as "budPlace", ${place('o.scrub_address', isShown)} as "scrubPlace"
      from orders o join users b on b.id = o.bud_id join users s on s.id = o.scrub_id where o.id = ${id}`,
  );

/** Who took a step `t`: a person, or an operator by name. */
const BY = sql`json_build_object('role', t.actor_role, 'id', t.actor_id, 'name',
  coalesce((select u.fullname from users u where u.id = t.actor_id), (select p.fullname from operators p where p.id = t.actor_id)))`;

export const listOrderSteps = (tx: Tx, orderId: string): Promise<TownStep[]> =>
  queryRows(
    tx,
    sql`select ${isoTime('t.at')} as at, null as "takenAt", t.action, t.status, t.attempt, ${BY} as by,
        t.reason, t.words, '[]'::json as "fileIds"
      from steps t where t.subject_id = ${orderId} order by t.position`,
  );

const FILE_IDS = sql`coalesce((select json_agg(f.id order by f.id) from files f
  where f.id = any(t.file_ids) and f.kept_at is not null and f.gone_at is null), '[]'::json)`;
const STEP = sql`json_build_object('at', ${isoTime('t.at')}, 'takenAt', ${isoTime('t.taken_at')}, 'action', t.action,
  'status', t.status, 'attempt', t.attempt, 'by', ${BY}, 'reason', t.reason, 'words', t.words, 'fileIds', ${FILE_IDS})`;

/** A place that is rounded is as vague as the rounding. */
const accuracyOf = (isShown: boolean) =>
  isShown ? sql`p.accuracy` : sql`greatest(p.accuracy, ${sql.lit(APPROXIMATE_ERROR_M)})`;

/**
 * Where the Duber of a delivery `d` was when they said that they cannot go on, with its laundry and before it was handed on. The case
 * may have begun with another delivery of the order.
 */
const askedPlace = (isShown: boolean) => sql`(select json_build_object(${pointOf(columns('e'), isShown)})
  from cases c join steps e on e.subject_id = c.id and e.action = 'ask' and e.latitude is not null
  where c.order_id = d.order_id and c.kind = 'relay' and c.opened_by = d.duber_id
    and c.status not in ('decided', 'closed') and e.at > coalesce((select max(t.at) from steps t
      where t.subject_id = d.id and t.action = 'relay'), '-infinity')
    and e.at >= (select max(t.at) from steps t where t.subject_id = d.id and t.action = 'collected')
  order by e.at desc limit 1)`;

/** The deliveries of an order, oldest first, without what can be done with them. */
export const listOrderDeliveries = (
  tx: Tx,
  orderId: string,
  isShown: boolean,
): Promise<Omit<TownDelivery, 'actions'>[]> =>
  queryRows(
    tx,
    sql`select d.id, d.delivery_type as type, d.status, d.round, d.attempt, ${dollars('d.price')} as price,
        case when u.id is not null then ${person('u')} end as duber, ${isOnBoard('d')} as "hasLaundry",
        json_build_object(${pointOf(columns('d', 'pickup_'), isShown)}) as pickup,
        (select json_build_object(${pointOf(columns('p'), isShown)}, 'accuracy', ${accuracyOf(isShown)}, 'at', ${isoTime('p.at')})
          from delivery_positions p where p.delivery_id = d.id and p.latitude is not null) as position,
        ${askedPlace(isShown)} as "askedPlace",
        (select json_agg(${STEP} order by t.position) from steps t where t.subject_id = d.id) as steps
      from deliveries d left join users u on u.id = d.duber_id
      where d.order_id = ${orderId} order by d.created_at, d.id`,
  );

type HandoverLine = TownOrder['custody']['handovers'][number];

export const listOrderHandovers = (
  tx: Tx,
  orderId: string,
): Promise<(HandoverLine & { takenAt: string | null; position: number })[]> =>
  queryRows(
    tx,
    sql`select ${isoTime('h.at')} as at, ${isoTime('h.taken_at')} as "takenAt",
        json_build_object('id', g.id, 'role', h.giver_role, 'fullname', g.fullname) as giver,
        json_build_object('id', t.id, 'role', h.taker_role, 'fullname', t.fullname) as taker,
        h.delivery_id as "deliveryId", h.proof, h.bags, c.bags as "confirmedBags", h.takes_back as "takesBack", h.position
      from handovers h join users g on g.id = h.giver_id join users t on t.id = h.taker_id
        left join handover_confirmations c on c.order_id = h.order_id and c.position = h.position
      where h.order_id = ${orderId} order by h.position`,
  );

type WeighingRow = Omit<TownOrder['weighings'][number], 'pounds'> & { readonly grams: number };

export const listOrderWeighings = (tx: Tx, orderId: string): Promise<WeighingRow[]> =>
  queryRows(
    tx,
    sql`select ${isoTime('w.at')} as at, w.grams, w.scale, ${person('u')} as by
      from weighings w join users u on u.id = w.by_id where w.order_id = ${orderId} order by w.at, w.id`,
  );

export const readOrderPayment = (tx: Tx, orderId: string): Promise<NonNullable<TownOrder['payment']> | undefined> =>
  queryRow(
    tx,
    sql`select p.state, ${dollars('p.amount')} as amount, (coalesce(p.held, p.amount) / 100.0)::float8 as held,
        ${dollars('p.reduced')} as reduced, ${dollars('p.refunded')} as refunded,
        p.card_brand || ' ···' || p.card_last4 as card, p.square_id as "squareId", p.failure, p.concern
      from payments p where p.order_id = ${orderId}`,
  );

/** The entries of an order: one index for each kind. */
const entriesOf = (orderId: string) => sql`(
  select e.id from ledger_entries e where e.order_id = ${orderId} and e.kind in ('captured', 'completed')
  union select e.id from deliveries d join ledger_entries e on e.delivery_id = d.id where d.order_id = ${orderId}
  union select e.id from refunds r join ledger_entries e on e.refund_id = r.id where r.order_id = ${orderId}
  union select a.entry_id from adjustments a where a.order_id = ${orderId}
  union select unnest(array_remove(array[d.debit_entry, d.end_entry], null)) from disputes d where d.order_id = ${orderId})`;

export const listOrderEntries = (tx: Tx, orderId: string): Promise<TownOrder['ledger']> =>
  queryRows(
    tx,
    sql`select e.id::text as id, ${isoTime('e.at')} as at, e.kind,
        (select json_agg(json_build_object('account', l.account, 'amount', ${dollars('l.amount')},
            'party', (select json_build_object('id', u.id, 'name', u.fullname, 'role', u.role) from users u where u.id = l.party)) order by l.position)
          from ledger_lines l where l.entry_id = e.id) as lines
      from ledger_entries e where e.id in ${entriesOf(orderId)} order by e.at, e.id`,
  );

export const listOrderRefunds = (tx: Tx, orderId: string): Promise<TownOrder['refunds']> =>
  queryRows(
    tx,
    sql`select r.id, ${isoTime('r.created_at')} as at, ${dollars('r.amount')} as amount, r.state, r.liable, r.reason, r.failure
      from refunds r where r.order_id = ${orderId} order by r.created_at, r.id`,
  );

export const listOrderCases = (tx: Tx, orderId: string): Promise<TownOrder['cases']> =>
  queryRows(
    tx,
    sql`select c.id, 'C-' || c.no as number, c.kind, c.status, c.priority, ${isoTime('c.created_at')} as since
      from cases c where c.order_id = ${orderId} order by c.no`,
  );

export type OrdersBefore = { readonly at: Date; readonly number: number };

type OrdersAsked = {
  readonly status: OrderStatus | undefined;
  readonly before: OrdersBefore | undefined;
  /** A condition of the orders `o`. */
  readonly part: RawBuilder<boolean> | undefined;
  /** Zeros for outside of all zones. */
  readonly zone: string | undefined;
};

/** A page of the town's orders, newest first. */
export const listOrderLines = (
  tx: Tx,
  { status, before, part = sql`true`, zone }: OrdersAsked,
  limit: number,
): Promise<(OrderLine & { readonly no: number })[]> => {
  const isOfStatus = status ? sql`o.status = ${status}` : sql`true`;
  const isInZone =
    zone === undefined ? sql`true` : sql`o.zone_id is not distinct from ${zone === NO_ZONE ? null : zone}::uuid`;
  const isBefore = before
    ? sql`(o.created_at, o.number) < (${before.at}::timestamptz, ${before.number}::bigint)`
    : sql`true`;
  return queryRows(
    tx,
    sql`select o.id, ${orderNumber} as number, o.number::int as no, o.status, ${isoTime('o.created_at')} as "placedAt",
        b.fullname as bud, s.fullname as scrub, o.load_size as size, ${dollars('o.total_price')} as total
      from (select * from orders o where ${isOfStatus} and ${isBefore} and ${part} and ${isInZone}
          order by o.created_at desc, o.number desc limit ${limit}) o
        join users b on b.id = o.bud_id join users s on s.id = o.scrub_id
      order by o.created_at desc, o.number desc`,
  );
};
