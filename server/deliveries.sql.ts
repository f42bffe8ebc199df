import { sql } from 'kysely';
import type { DeliveryStep } from '../contract/deliveries.ts';
import type { ListQuery } from '../contract/lists.ts';
import type { Caller, DuberId } from '../domain/accounts.ts';
import type { DeliveryStatus, DeliveryType } from '../domain/deliveries.ts';
import { bandOf, NEARBY_LIMIT, type Point } from '../domain/places.ts';
import { row, rows, type Tx } from './database.ts';
import { type Columns, pageOf, whereOf } from './lists.sql.ts';
import { inBox, metersFrom } from './places.sql.ts';
import { deliveryJson, iso, orderJson, type WholeDelivery } from './rows.sql.ts';

const joins = sql`join orders o on o.id = d.order_id join users b on b.id = o.bud_id
  join users s on s.id = o.scrub_id left join users du on du.id = d.duber_id`;
const tables = sql`deliveries d ${joins}`;
const whole = sql`${deliveryJson} as delivery, ${orderJson} as "order"`;

/** Whether the caller is the Bud, the Scrub or the Duber of the delivery `d`. */
export const ownedBy = ({ role, id }: Caller) => {
  if (role === 'Bud') return sql`d.bud_id = ${id}::uuid`;
  if (role === 'Scrub') return sql`d.scrub_id = ${id}::uuid`;
  return sql`d.duber_id = ${id}::uuid`;
};

/** By id, a Duber may also read a delivery that waits for one. */
const readableBy = (caller: Caller) =>
  caller.role === 'Duber' ? sql`(${ownedBy(caller)} or d.status = 'Pending')` : ownedBy(caller);

export function readDelivery(tx: Tx, caller: Caller, id: string): Promise<WholeDelivery | undefined> {
  return row(tx, sql`select ${whole} from ${tables} where d.id = ${id} and ${readableBy(caller)}`);
}

/** Whether there is such a delivery, whosever it is. */
export async function deliveryExists(tx: Tx, id: string): Promise<boolean> {
  return (await row(tx, sql`select 1 as there from deliveries where id = ${id}`)) !== undefined;
}

const COLUMNS: Columns = {
  id: { sql: sql`d.id`, type: 'uuid' },
  orderId: { sql: sql`d.order_id`, type: 'uuid' },
  status: { sql: sql`d.status collate "C"`, type: 'text' },
  deliveryType: { sql: sql`d.delivery_type collate "C"`, type: 'text' },
  budId: { sql: sql`d.bud_id`, type: 'uuid' },
  scrubId: { sql: sql`d.scrub_id`, type: 'uuid' },
  duberId: { sql: sql`d.duber_id`, type: 'uuid' },
  createdAt: { sql: sql`d.created_at`, type: 'timestamptz' },
};

const SORTS = {
  createdAt: sql`d.created_at`,
  status: sql`d.status collate "C"`,
  price: sql`d.price`,
  distanceInMeters: sql`d.distance_m`,
};

type DeliveryPage = {
  items: WholeDelivery[];
  totalCount: number;
  sums: { price: number; distanceInMeters: number };
};

/** A page of the caller's own deliveries, and the count and sums (cents, metres) of all that the filters let through. */
export async function listDeliveries(tx: Tx, caller: Caller, query: ListQuery): Promise<DeliveryPage> {
  const where = whereOf(ownedBy(caller), COLUMNS, query);
  const items = await rows<WholeDelivery>(
    tx,
    sql`select ${whole} from ${tables} where ${where} ${pageOf(SORTS, sql`d.id`, query)}`,
  );
  const totals = await row<{ count: number; price: number; distance: number }>(
    tx,
    sql`select count(*)::int as count, coalesce(sum(d.price), 0)::float8 as price,
      coalesce(sum(d.distance_m), 0)::float8 as distance from deliveries d where ${where}`,
  );
  return {
    items,
    totalCount: totals?.count ?? 0,
    sums: { price: totals?.price ?? 0, distanceInMeters: totals?.distance ?? 0 },
  };
}

export function activeDelivery(tx: Tx, duber: DuberId): Promise<WholeDelivery | undefined> {
  return row(
    tx,
    sql`select ${whole} from ${tables} where d.duber_id = ${duber} and d.status not in ('Pending', 'Delivered')`,
  );
}

export type NearbyRow = WholeDelivery & { readonly distance: number };

/** Pending deliveries whose pickup lies within `radius` metres, nearest first. */
export function deliveriesNearby(tx: Tx, _duber: DuberId, from: Point, radius: number): Promise<NearbyRow[]> {
  return rows(
    tx,
    sql`select ${whole}, near.distance from (
        select n.id, ${metersFrom(from, 'n.pickup_latitude', 'n.pickup_longitude')} as distance
        from deliveries n where n.status = 'Pending' and ${inBox(from, radius, 'n.pickup_band', 'n.pickup_longitude')}
      ) near join deliveries d on d.id = near.id ${joins}
      where near.distance <= ${radius}::float8 order by near.distance, d.id limit ${NEARBY_LIMIT}`,
  );
}

export type NewDelivery = {
  readonly id: string;
  readonly orderId: string;
  readonly deliveryType: DeliveryType;
  readonly budId: string;
  readonly scrubId: string;
  readonly price: number;
  readonly distanceInMeters: number;
  readonly pickup: Point;
};

export async function insertDelivery(tx: Tx, delivery: NewDelivery, now: Date): Promise<void> {
  const { id, orderId, deliveryType, budId, scrubId, price, distanceInMeters, pickup } = delivery;
  await rows(
    tx,
    sql`with opened as (insert into deliveries (id, order_id, delivery_type, status, bud_id, scrub_id, price,
          distance_m, pickup_latitude, pickup_longitude, pickup_band, created_at)
        values (${id}, ${orderId}, ${deliveryType}, 'Pending', ${budId}, ${scrubId}, ${price}, ${distanceInMeters},
          ${pickup.latitude}, ${pickup.longitude}, ${bandOf(pickup.latitude)}, ${now}) returning id)
      insert into delivery_steps (delivery_id, status, created_at, position)
        select id, 'Pending', ${now}::timestamptz, 0 from opened`,
  );
}

type Move = {
  readonly id: string;
  readonly from: DeliveryStatus;
  readonly to: DeliveryStatus;
  /** When a device without a network took the step. */
  readonly takenAt: Date | null;
};

/**
 * Compare-and-swap: moves a delivery that still stands at `from`; undefined when it does not, or is not the Duber's.
 * Breaks `deliveries_one_active` when the Duber has an active delivery already.
 */
export function moveDelivery(
  tx: Tx,
  duber: DuberId,
  { id, from, to, takenAt }: Move,
  now: Date,
): Promise<DeliveryStep | undefined> {
  return row(
    tx,
    sql`with moved as (update deliveries d set status = ${to}, duber_id = ${duber},
          delivered_at = case when ${to}::text = 'Delivered' then ${now}::timestamptz else delivered_at end
        where d.id = ${id} and d.status = ${from} and (d.status = 'Pending' or d.duber_id = ${duber}) returning d.id)
      insert into delivery_steps as t (delivery_id, status, created_at, taken_at, position)
        select m.id, ${to}, ${now}::timestamptz, ${takenAt}::timestamptz, (select count(*) from delivery_steps p where p.delivery_id = m.id)
        from moved m
      returning t.status, ${iso('t.created_at')} as "createdAt", ${iso('t.taken_at')} as "takenAt",
        t.delivery_id as "deliveryId"`,
  );
}
