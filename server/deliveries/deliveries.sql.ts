import { type RawBuilder, sql } from 'kysely';
import type { FieldTree } from '../../contract/answerFields.ts';
import {
  DELIVERY_LIST,
  type Delivery,
  type DeliveryStep,
  type NearbyDelivery,
  NearbyDeliveryShape,
} from '../../contract/deliveries.ts';
import { DELIVERY_LIST_FIELDS, NEARBY_DELIVERY_FIELDS } from '../../contract/screenFields.ts';
import type { Caller, DuberId } from '../../domain/accounts.ts';
import type { DeliveryAction, DeliveryStatus, DeliveryType } from '../../domain/deliveries.ts';
import { bandOf, DUBER_REACH_M, type Point } from '../../domain/places.ts';
import { knownFields, prepareByFields } from '../db/answerFields.ts';
import { columnsOf, type DeliveryRow, hasActiveDelivery, isoTime } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { dollars, type Json, list, object, quoted, raw, when } from '../db/json.sql.ts';
import { prepareList } from '../db/lists.sql.ts';
import { metersBetween, nearestTo } from '../db/nearby.sql.ts';
import { prepare, queryBuilder } from '../db/prepared.ts';
import { type JsonQuery, prepareByPrivacy } from '../db/query.sql.ts';
import { publishMovedDeliverySql } from '../events/publish.ts';
import { isPrivacy } from '../policies.sql.ts';
import {
  deliveryProperties,
  foundDistanceJson,
  joinSharedColumns,
  sharedColumns,
  type Viewer,
} from '../visibility.sql.ts';

/** A condition: the caller is the Bud, the Scrub or the Duber of the delivery `d`. */
export const ownedBy = ({ role, id }: { role: Role; id: unknown }) => sql<boolean>`${OWNER_COLUMN[role]} = ${id}::uuid`;

type Role = Caller['role'];
const OWNER_COLUMN = { Bud: sql`d.bud_id`, Scrub: sql`d.scrub_id`, Duber: sql`d.duber_id` };
const byRole = <T>(make: (role: Role) => T) => ({ Bud: make('Bud'), Scrub: make('Scrub'), Duber: make('Duber') });

/** A Duber may also read a pending delivery by its id. */
const readableBy = (role: Role, id: unknown) =>
  role === 'Duber' ? sql<boolean>`(${ownedBy({ role, id })} or d.status = 'Pending')` : ownedBy({ role, id });

const findReadableDelivery = byRole((role) =>
  prepare<[id: string, caller: string], DeliveryRow>((id, caller) =>
    queryBuilder
      .selectFrom('deliveries as d')
      .select(['d.id', 'd.order_id as orderId', 'd.status', 'd.duber_id as duberId'])
      .where('d.id', '=', id)
      .where(readableBy(role, caller)),
  ),
);

/** A delivery that the caller may read, as the database stores it. */
export function findDelivery(tx: Tx, caller: Caller, id: string): Promise<DeliveryRow | undefined> {
  return findReadableDelivery[caller.role].one(tx, id, caller.id);
}

/** Joins what `deliveryProperties` needs to the table `deliveries d`. */
export const deliveryJoins = (
  viewer: Viewer,
) => sql`cross join lateral (select * from orders o where o.id = d.order_id offset 0) o
  ${joinSharedColumns(viewer)}`;

const readReadableDeliveryJson = byRole((role) =>
  prepareByPrivacy<[id: string, caller: string, now: Date], Delivery>(
    (isCareful) => (id, caller, now) => {
      const viewer: Viewer = { role, id: caller, now, isCareful };
      return {
        applies: isPrivacy(isCareful, now),
        json: object(deliveryProperties(viewer)),
        from: sql`deliveries d ${deliveryJoins(viewer)} where d.id = ${id} and ${readableBy(role, caller)}`,
      };
    },
    { isQuick: true },
  ),
);

/** A delivery that the caller may read, as they see it, as JSON. */
export const readDeliveryJson = (caller: Caller, id: string, now: Date): JsonQuery<Delivery> =>
  readReadableDeliveryJson[caller.role](id, caller.id, now);

/** Whether a delivery with this id exists, no matter whose. */
export async function deliveryExists(tx: Tx, id: string): Promise<boolean> {
  return (await tx.selectFrom('deliveries').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

const delivery = columnsOf('deliveries', 'd');

/** A page of the caller's deliveries. */
export const listDeliveries = prepareList<Caller, typeof DELIVERY_LIST, Delivery>({
  list: DELIVERY_LIST,
  table: 'deliveries',
  alias: 'd',
  scope: ownedBy,
  columns: {
    id: delivery('id'),
    orderId: delivery('order_id'),
    status: sql`d.status collate "C"`,
    deliveryType: sql`d.delivery_type collate "C"`,
    budId: delivery('bud_id'),
    scrubId: delivery('scrub_id'),
    duberId: delivery('duber_id'),
    createdAt: delivery('created_at'),
    price: delivery('price'),
    distanceInMeters: delivery('distance_m'),
  },
  joins: deliveryJoins,
  properties: deliveryProperties,
  isPrivacy,
  sums: { price: { tally: 'price', toJson: dollars }, distanceInMeters: { tally: 'distance_m', toJson: raw } },
  tallies: 'delivery_tallies',
  screenFields: [DELIVERY_LIST_FIELDS],
});

/** CTEs that end in `found`: the pending deliveries within `radius` metres of `origin`. */
export const nearestDeliveriesSql = (radius: RawBuilder<unknown>, isCareful: boolean) =>
  nearestTo(
    {
      table: sql`deliveries p`,
      id: sql`p.id`,
      band: sql`p.pickup_band`,
      latitude: sql`p.pickup_latitude`,
      longitude: sql`p.pickup_longitude`,
      where: sql`p.status = 'Pending'`,
      isApproximate: isCareful,
    },
    radius,
  );

/** The `found` deliveries as a Duber sees them. */
export function nearbyDeliveriesJson(viewer: Viewer): Json<NearbyDelivery[]> {
  const shared = sharedColumns(viewer);
  return list(
    object({
      delivery: object(deliveryProperties(viewer)),
      bud: shared('short_bud'),
      scrub: shared('short_scrub'),
      budId: quoted(delivery('bud_id')),
      scrubId: quoted(delivery('scrub_id')),
      distanceMeters: foundDistanceJson(viewer.isCareful),
    }),
    sql`found.distance, found.id`,
    sql`found cross join lateral (select * from deliveries d where d.id = found.id offset 0) d ${deliveryJoins(viewer)}`,
  );
}

type NearbySearchParams = [duber: string, addressId: string, latitude: number | null, longitude: number | null];

const selectDeliveriesNearby = prepareByFields<
  [...NearbySearchParams, radius: number, now: Date],
  NearbyDelivery[] | null
>(knownFields(NearbyDeliveryShape, NEARBY_DELIVERY_FIELDS), (fields) =>
  prepareByPrivacy(
    (isCareful) => (duber, addressId, latitude, longitude, radius, now) => {
      const center = { latitude: sql.ref('center.latitude'), longitude: sql.ref('center.longitude') };
      const address = { latitude: sql.ref('a.latitude'), longitude: sql.ref('a.longitude') };
      return {
        with: sql`origin as materialized (
        select center.*, ${metersBetween(center, address)} <= ${sql.lit(DUBER_REACH_M)} as "isInReach"
        from addresses a cross join lateral (select coalesce(${latitude}::float8, a.latitude) as latitude,
          coalesce(${longitude}::float8, a.longitude) as longitude) center
        where a.id = ${addressId} and a.user_id = ${duber}),
      ${nearestDeliveriesSql(radius, isCareful)}`,
        json: when(sql.ref('origin.isInReach'), nearbyDeliveriesJson({ role: 'Duber', id: duber, now, isCareful })),
        from: sql`origin`,
        applies: isPrivacy(isCareful, now),
      };
    },
    { fields },
  ),
);

type NearbySearch = { addressId: string; point: Point | undefined; radius: number; fields: FieldTree };

/**
 * Pending deliveries within `radius` metres of `point`, or of the address when there is no point, nearest first. No row
 * when the address is not the Duber's, and null when the point is more than DUBER_REACH_M away from it.
 */
export function findDeliveriesNearby(
  duber: DuberId,
  { addressId, point, radius, fields }: NearbySearch,
  now: Date,
): JsonQuery<NearbyDelivery[] | null> {
  const { latitude = null, longitude = null } = point ?? {};
  return selectDeliveriesNearby(fields, duber, addressId, latitude, longitude, radius, now);
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

/** Inserts a pending delivery and the first entry of its history. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery, now: Date): Promise<void> {
  const { id, orderId, deliveryType, budId, scrubId, price, distanceInMeters, pickup } = delivery;
  await tx
    .with('opened', (db) =>
      db.insertInto('deliveries').values({
        id,
        order_id: orderId,
        delivery_type: deliveryType,
        status: 'Pending',
        bud_id: budId,
        scrub_id: scrubId,
        price,
        distance_m: distanceInMeters,
        pickup_latitude: pickup.latitude,
        pickup_longitude: pickup.longitude,
        pickup_band: bandOf(pickup.latitude),
        created_at: now,
      }),
    )
    .insertInto('delivery_steps')
    .values({
      delivery_id: id,
      action: 'open-delivery',
      status: 'Pending',
      actor_role: 'System',
      created_at: now,
      position: 0,
    })
    .execute();
}

/** A row of DELIVERY_FLOW, for one delivery. */
export type DeliveryTransition = {
  readonly id: string;
  readonly action: DeliveryAction;
  readonly from: DeliveryStatus;
  readonly to: DeliveryStatus;
  /** When the Duber's device took the step, if it sends the step later. */
  readonly takenAt: Date | null;
  /** The digest of the request's Idempotency-Key. */
  readonly requestKey: Buffer | null;
};

/** The step, and what the rest of the transaction needs to know of its delivery. Price in cents. */
export type MovedDelivery = { readonly step: DeliveryStep; readonly orderId: string; readonly price: number };

type TransitionParams = [
  id: string,
  duber: string,
  action: string,
  from: string,
  to: string,
  now: Date,
  takenAt: Date | null,
  requestKey: Buffer | null,
];

// Raw SQL, prepared: compare-and-swap, history and events are one statement (decision 036).
const moveIfUnchanged = prepare<TransitionParams, MovedDelivery>(
  (id, duber, action, from, to, now, takenAt, requestKey) => sql`with moved as (
      update deliveries d set status = ${to}, duber_id = ${duber},
          delivered_at = case when ${to}::text = 'Delivered' then ${now}::timestamptz else d.delivered_at end
        where d.id = ${id} and d.status = ${from}::text
          and case when ${from}::text = 'Pending' then not ${hasActiveDelivery(sql`${duber}::uuid`)} else d.duber_id = ${duber}::uuid end
        returning d.*),
    step as (
      insert into delivery_steps as t (delivery_id, attempt, action, status, actor_id, actor_role, created_at, taken_at,
          request_key, position)
        select m.id, m.attempt, ${action}::text, ${to}, ${duber}::uuid, 'Duber', ${now}::timestamptz, ${takenAt}::timestamptz,
          ${requestKey}::bytea,
          (select count(*) from delivery_steps p where p.delivery_id = m.id)
        from moved m returning t.*),
    ${publishMovedDeliverySql({ from, to, now })}
    select m.order_id as "orderId", m.price, json_build_object('status', t.status, 'createdAt', ${isoTime('t.created_at')},
        'takenAt', ${isoTime('t.taken_at')}, 'deliveryId', t.delivery_id) as step
      from moved m, step t`,
);

/**
 * Compare-and-swap: moves a delivery if its status is still `from`. Returns undefined when it is not, when the delivery is
 * another Duber's, or when it would be the Duber's second active one. Violates `deliveries_one_active` when a Duber takes
 * two at the same time.
 */
export function moveDelivery(
  tx: Tx,
  duber: DuberId,
  move: DeliveryTransition,
  now: Date,
): Promise<MovedDelivery | undefined> {
  const { id, action, from, to, takenAt, requestKey } = move;
  return moveIfUnchanged.one(tx, id, duber, action, from, to, now, takenAt, requestKey);
}

/** The step that an earlier request with the same key has taken. */
export async function findDeliveryStepByKey(
  tx: Tx,
  { id, to, requestKey }: Pick<DeliveryTransition, 'id' | 'to' | 'requestKey'>,
): Promise<DeliveryStep | undefined> {
  if (requestKey === null) return undefined;
  const step = await tx
    .selectFrom('delivery_steps')
    .select(['status', 'created_at', 'taken_at'])
    .where('delivery_id', '=', id)
    .where('status', '=', to)
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
  if (!step) return undefined;
  const { status, created_at: createdAt, taken_at: takenAt } = step;
  return { status, createdAt: createdAt.toISOString(), takenAt: takenAt?.toISOString() ?? null, deliveryId: id };
}
