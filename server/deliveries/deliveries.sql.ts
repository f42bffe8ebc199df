import { type RawBuilder, sql } from 'kysely';
import type { FieldTree } from '../../contract/answerFields.ts';
import {
  DELIVERY_LIST,
  type Delivery,
  type DeliveryDetails,
  type NearbyDelivery,
  NearbyDeliveryShape,
} from '../../contract/deliveries.ts';
import { DELIVERY_LIST_FIELDS, NEARBY_DELIVERY_FIELDS } from '../../contract/screenFields.ts';
import type { Caller, DuberId } from '../../domain/accounts.ts';
import type { DeliveryStatus, DeliveryType } from '../../domain/deliveries.ts';
import type { TripPayer } from '../../domain/orders.ts';
import { bandOf, DUBER_SEARCH_RADIUS_M, type Point } from '../../domain/places.ts';
import { isRestrictedFrom } from '../auth/restrictions.sql.ts';
import { knownFields, prepareByFields } from '../db/answerFields.ts';
import { columnsOf, type DeliveryRow, hasJustLeft, isRelayed } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { send } from '../db/driver.ts';
import { bool, dollars, ifPresent, type Json, list, object, quoted, raw, when } from '../db/json.sql.ts';
import { prepareList, type Viewer } from '../db/lists.sql.ts';
import { metersBetween, nearestTo } from '../db/nearby.sql.ts';
import { feeOfWay } from '../db/orderLines.sql.ts';
import { prepare, queryBuilder } from '../db/prepared.ts';
import { type JsonQuery, prepareByPrivacy } from '../db/query.sql.ts';
import { insertStepSql } from '../process/steps.sql.ts';
import { isPrivacy } from '../town/policies.sql.ts';
import { joinDeliverySteps } from '../visibility/histories.sql.ts';
import { HAS_STARTED_OVER } from '../visibility/situations.sql.ts';
import { deliveryStepsProperties } from '../visibility/steps.sql.ts';
import {
  deliveryProperties,
  foundDistanceJson,
  joinSharedColumns,
  sharedColumns,
} from '../visibility/visibility.sql.ts';
import { isFinalFor } from './undo.sql.ts';

/** A condition: the caller is the Bud, the Scrub or the Duber of the delivery `d`. */
export const ownedBy = ({ role, id }: { role: Role; id: unknown }) => sql<boolean>`${OWNER_COLUMN[role]} = ${id}::uuid`;

type Role = Caller['role'];
const OWNER_COLUMN = { Bud: sql`d.bud_id`, Scrub: sql`d.scrub_id`, Duber: sql`d.duber_id` };
const byRole = <T>(make: (role: Role) => T) => ({ Bud: make('Bud'), Scrub: make('Scrub'), Duber: make('Duber') });

/** Whether a Duber who could not go on has the laundry of the delivery `d`, until the next one collects it. */
export const isCarriedBy = (duber: unknown) =>
  sql<boolean>`(d.carrier_id = ${duber}::uuid and d.duber_id is distinct from ${duber}::uuid and ${isRelayed('d')})`;

/** Whether the Duber who fetches the laundry of the delivery `d` has said that they are where it is. */
export const hasNextArrived = sql<boolean>`(d.status = 'Way_To_Pick' and exists (select from steps t
  where t.subject_id = d.id and t.action = 'arrived-at-pickup' and not ${HAS_STARTED_OVER}))`;

/** A Duber may also read a pending delivery by its id, and one whose laundry they still have. */
const readableBy = (role: Role, id: unknown) =>
  role === 'Duber'
    ? sql<boolean>`(${ownedBy({ role, id })} or d.status = 'Pending' or ${isCarriedBy(id)})`
    : ownedBy({ role, id });

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
  ${joinSharedColumns(viewer)} ${joinDeliverySteps(viewer)}`;

const trueOrNull = (condition: RawBuilder<boolean>) => sql<boolean | null>`nullif(${condition}, false)`;

const readReadableDeliveryJson = byRole((role) =>
  prepareByPrivacy<[id: string, caller: string, now: Date], DeliveryDetails>(
    (isCareful) => (id, caller, now) => {
      const viewer: Viewer = { role, id: caller, now, isCareful };
      return {
        applies: isPrivacy(isCareful, now),
        json: object<DeliveryDetails>({
          ...deliveryProperties(viewer),
          ...deliveryStepsProperties(viewer),
          isCarrier: ifPresent(bool, role === 'Duber' ? trueOrNull(isCarriedBy(caller)) : sql<null>`null`),
          isNextHere: ifPresent(
            bool,
            role === 'Duber' ? trueOrNull(sql`(${isCarriedBy(caller)} and ${hasNextArrived})`) : sql<null>`null`,
          ),
          isFinal: ifPresent(bool, role === 'Duber' ? trueOrNull(isFinalFor(caller)) : sql<null>`null`),
        }),
        from: sql`deliveries d ${deliveryJoins(viewer)} where d.id = ${id} and ${readableBy(role, caller)}`,
      };
    },
    { isQuick: true },
  ),
);

/** A delivery that the caller may read, as they see it, as JSON. */
export const readDeliveryJson = (caller: Caller, id: string, now: Date): JsonQuery<DeliveryDetails> =>
  readReadableDeliveryJson[caller.role](id, caller.id, now);

/** The status of a delivery, no matter whose; undefined when there is none. */
export async function findDeliveryStatus(tx: Tx, id: string): Promise<DeliveryStatus | undefined> {
  return (await tx.selectFrom('deliveries').select('status').where('id', '=', id).executeTakeFirst())?.status;
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

type NearbyOptions = { readonly radius: RawBuilder<unknown>; readonly limit: RawBuilder<unknown> };

/**
 * The last part of a `with`: `found`, the nearest pending deliveries around `origin` that a Duber may accept, with all columns and
 * the `distance`. Those that the Duber gave away a moment ago are not among them.
 */
export const nearestDeliveriesSql = ({ id: duber, now, isCareful }: Viewer, { radius, limit }: NearbyOptions) =>
  nearestTo(
    {
      table: sql`deliveries p`,
      columns: sql`p.id`,
      whole: sql`select * from deliveries d where d.id = spot.id and not ${hasJustLeft('d', sql`${duber}::uuid`, now)}`,
      band: sql`p.pickup_band`,
      latitude: sql`p.pickup_latitude`,
      longitude: sql`p.pickup_longitude`,
      where: sql`p.status = 'Pending' and not ${isRestrictedFrom('new-work', duber)}`,
      isApproximate: isCareful,
    },
    radius,
    limit,
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
      distanceMeters: foundDistanceJson(sql`d.distance`, viewer.isCareful),
    }),
    // Windows first, by the earliest end.
    sql`d.due_until, d.distance, d.id`,
    sql`found d ${deliveryJoins(viewer)}`,
  );
}

type NearbySearchParams = [duber: string, addressId: string, latitude: number | null, longitude: number | null];

const selectDeliveriesNearby = prepareByFields<
  [...NearbySearchParams, radius: number, limit: number, now: Date],
  NearbyDelivery[] | null
>(knownFields(NearbyDeliveryShape, NEARBY_DELIVERY_FIELDS), (part) =>
  prepareByPrivacy(
    (isCareful) => (duber, addressId, latitude, longitude, radius, limit, now) => {
      const viewer: Viewer = { role: 'Duber', id: duber, now, isCareful };
      const center = { latitude: sql.ref('center.latitude'), longitude: sql.ref('center.longitude') };
      const address = { latitude: sql.ref('a.latitude'), longitude: sql.ref('a.longitude') };
      return {
        with: sql`origin as materialized (
        select center.*, ${metersBetween(center, address)} <= ${sql.lit(DUBER_SEARCH_RADIUS_M)} as "isInReach"
        from addresses a cross join lateral (select coalesce(${latitude}::float8, a.latitude) as latitude,
          coalesce(${longitude}::float8, a.longitude) as longitude) center
        where a.id = ${addressId} and a.user_id = ${duber}),
      ${nearestDeliveriesSql(viewer, { radius, limit })}`,
        json: when(sql.ref('origin.isInReach'), nearbyDeliveriesJson(viewer)),
        from: sql`origin`,
        applies: isPrivacy(isCareful, now),
      };
    },
    part,
  ),
);

type NearbySearch = { addressId: string; point: Point | undefined; radius: number; limit: number; fields: FieldTree };

/**
 * The first `limit` pending deliveries within `radius` metres of `point`, or of the address when there is no point, nearest first. No row
 * when the address is not the Duber's, and null when the point is more than DUBER_SEARCH_RADIUS_M away from it.
 */
export function findDeliveriesNearby(
  duber: DuberId,
  { addressId, point, radius, limit, fields }: NearbySearch,
  now: Date,
): JsonQuery<NearbyDelivery[] | null> {
  const { latitude = null, longitude = null } = point ?? {};
  return selectDeliveriesNearby(fields, duber, addressId, latitude, longitude, radius, limit, now);
}

export type NewDelivery = {
  readonly id: string;
  readonly orderId: string;
  /** The round of the order. */
  readonly round: number;
  readonly deliveryType: DeliveryType;
  readonly budId: string;
  readonly scrubId: string;
  /** Null for what the Bud pays for this way. */
  readonly price: number | null;
  /** Who pays the Duber; null when the order does. */
  readonly paidBy: TripPayer | null;
  readonly distanceInMeters: number;
  readonly pickup: Point;
};

/** Inserts a pending delivery and the first entry of its history. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery, now: Date): Promise<void> {
  const { id, orderId, round, deliveryType, budId, scrubId, price, paidBy, distanceInMeters, pickup } = delivery;
  const way = deliveryType === 'Bud_To_Scrub' ? 'pickup' : 'return';
  // A delivery that is late, or that brings laundry home after the end of its order, is done as soon as possible.
  const dueTime = (end: 'from' | 'until') => sql<Date | null>`(select ${sql.ref(`o.${way}_${end}`)} from orders o
    where o.id = ${orderId} and ${sql.ref(`o.${way}_until`)} > ${now} and o.status <> 'Cancelled')`;
  const opened = tx
    .insertInto('deliveries')
    .values({
      id,
      order_id: orderId,
      round,
      delivery_type: deliveryType,
      status: 'Pending',
      bud_id: budId,
      scrub_id: scrubId,
      price:
        price ?? sql<number>`(select ${feeOfWay(sql`${deliveryType}::text`)} from orders o where o.id = ${orderId})`,
      paid_by: paidBy,
      distance_m: distanceInMeters,
      pickup_latitude: pickup.latitude,
      pickup_longitude: pickup.longitude,
      pickup_band: bandOf(pickup.latitude),
      created_at: now,
      due_from: dueTime('from'),
      due_until: dueTime('until'),
    })
    .returning(['id', 'status', 'created_at']);
  const step = insertStepSql('delivery', sql`opened`, {
    attempt: sql`1`,
    action: sql`'open-delivery'`,
    status: sql`m.status`,
    actor_role: sql`'System'`,
    at: sql`m.created_at`,
  });
  await send(tx, sql`with opened as (${opened}) ${step}`);
}
