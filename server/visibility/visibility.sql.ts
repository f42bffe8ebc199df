import { type RawBuilder, sql } from 'kysely';
import type { Delivery } from '../../contract/deliveries.ts';
import type { ListedOrder } from '../../contract/orders.ts';
import type { Price } from '../../contract/payments.ts';
import type { Turnaround } from '../../domain/windows.ts';
import { isKeptFromWork } from '../auth/restrictions.sql.ts';
import { approximatePointSql, roundToFourDigits, roundToHundreds, shortName } from '../db/approximate.sql.ts';
import { columnsOf, isActiveDelivery, isOnBoard, orderNumber } from '../db/columns.sql.ts';
import {
  ALWAYS,
  arrayOf,
  bool,
  dollars,
  firstOrNull,
  fromColumns,
  ifElse,
  ifPresent,
  type Json,
  type JsonProperties,
  list,
  nullJson,
  object,
  orNull,
  quoted,
  raw,
  text,
  time,
  toColumns,
  toSql,
  when,
} from '../db/json.sql.ts';
import type { Viewer } from '../db/lists.sql.ts';
import { metersBetween } from '../db/nearby.sql.ts';
import { priceJson } from '../db/orderLines.sql.ts';
import { joinShared } from '../db/sharedColumns.sql.ts';
import { addressJson, approximatePointOf } from './addresses.sql.ts';
import { deliveryListJson, inViewersRound, joinDeliverySteps, joinOrderSteps, orderListJson } from './histories.sql.ts';
import {
  arrivedAt,
  DELAY,
  deliverySituation,
  GIVEN_BACK_UNTIL,
  IS_CLEANED_AGAIN,
  isViewersDelivery,
  orderSituation,
  reOffers,
  WAY,
} from './situations.sql.ts';
import { isViewersRound, VISIBLE_TO } from './viewRules.sql.ts';

/**
 * What each role sees of an order and of a delivery, as the JSON of the answer. The tables are `orders o`, `deliveries d`,
 * `users b` (the Bud), `users s` (the Scrub) and `users du` (the Duber, if any).
 */

const order = columnsOf('orders', 'o');
const delivery = columnsOf('deliveries', 'd');
const review = columnsOf('reviews', 'r');

const personJson = (alias: 'b' | 's' | 'du', isFullName: RawBuilder<unknown>) => {
  const user = columnsOf('users', alias);
  return {
    id: quoted(user('id')),
    fullname: ifElse(isFullName, text(user('fullname')), text(shortName(user('fullname')))),
  };
};

const contactJson = (alias: 'b' | 's' | 'du', isVisible: RawBuilder<unknown>) => {
  const user = columnsOf('users', alias);
  return {
    email: when(isVisible, text(user('email'))),
    phone: when(isVisible, text(user('phone'))),
  };
};

/** The mean rating of `users u` to one decimal, rounded half up; 0 without ratings. Integers are exact and fast. */
export const ratingJson: Json<number> = raw(
  sql<number>`case when u.rating_count = 0 then 0
    else (20::bigint * u.rating_sum + u.rating_count) / (2 * u.rating_count) / 10::float8 end`,
);

const reviewJson = object({
  id: quoted(review('id')),
  type: quoted(review('type')),
  rating: raw(review('rating')),
  message: text(review('message')),
  fromUserId: quoted(review('from_user_id')),
  toUserId: quoted(review('to_user_id')),
  orderId: quoted(review('order_id')),
  deliveryId: orNull(quoted, review('delivery_id')),
  createdAt: time(review('created_at')),
});

const visibleReviews = (viewer: Viewer) =>
  list(
    reviewJson,
    sql`r.created_at, r.id`,
    viewer.role === 'Duber'
      ? sql`reviews r where r.order_id = o.id and r.delivery_id = d.id and r.to_user_id = d.duber_id
          and ${isViewersDelivery(viewer)}`
      : sql`reviews r where r.order_id = o.id`,
  );

function sharedJson(viewer: Viewer) {
  const sight = VISIBLE_TO[viewer.role](viewer);
  const addresses = arrayOf(addressJson(order('scrub_address'), sight.scrubPlace));
  const price: Json<Price | null> = viewer.role === 'Duber' ? nullJson : priceJson;
  const [bud, scrub] = [personJson('b', sight.budName), personJson('s', sight.scrubName)];
  return {
    bud: object({ ...bud, ...contactJson('b', sight.budContacts) }),
    scrub: object({ ...scrub, ...contactJson('s', sight.scrubContacts), addresses }),
    person: object({ ...scrub, addresses }),
    short_bud: object(bud),
    short_scrub: object(scrub),
    bud_address: addressJson(order('bud_address'), sight.budPlace),
    price,
    reviews: visibleReviews(viewer),
  };
}

type SharedJson = ReturnType<typeof sharedJson>;

/** The columns of joinSharedColumns, by name. */
export function sharedColumns(viewer: Viewer) {
  const json = sharedJson(viewer);
  return <K extends keyof SharedJson>(name: K) => fromColumns<unknown>('part', name, json[name]) as SharedJson[K];
}

/**
 * Computes once per row what several places of an answer repeat, as the columns of `part`. `offset 0` keeps the planner from
 * computing it again in each place, and makes it join the people by their keys. Unused columns are not written, and
 * with left joins no person is read whose columns are unused.
 */
export function joinSharedColumns(viewer: Viewer): RawBuilder<unknown> {
  const all = Object.entries(sharedJson(viewer)).flatMap(([name, json]) => toColumns(name, json));
  const part = joinShared({
    table: 'part',
    columns: Object.fromEntries(all.map(([name, json]) => [name, toSql(json)])),
    write: (columns) => sql`cross join lateral (select ${columns} from (select) o_of
      left join users b on b.id = o.bud_id left join users s on s.id = o.scrub_id offset 0) part`,
  });
  return sql`${part} ${joinOrderSteps(viewer)}`;
}

const orderOfDelivery = (viewer: Viewer, shared: ReturnType<typeof sharedColumns>): Json<Delivery['order']> =>
  object({
    id: quoted(order('id')),
    number: quoted(orderNumber),
    loadSize: quoted(order('load_size')),
    price: shared('price'),
    orderInstructions: instructionsJson(viewer),
    budAddress: shared('bud_address'),
    bud: shared('bud'),
    scrub: shared('scrub'),
    reviews: shared('reviews'),
  });

const instructionsJson = (viewer: Viewer) =>
  when(VISIBLE_TO[viewer.role](viewer).instructions, text(order('instructions')));

const PICKUP = { latitude: delivery('pickup_latitude'), longitude: delivery('pickup_longitude') };

/** Whether the laundry of a delivery comes from where an earlier Duber could not go on. */
const IS_PICKUP_MOVED = sql<boolean>`(${delivery('carrier_id')} is not null and ${delivery('status')} <> 'Called_Off')`;

/** Between the approximate places of a delivery. Relayed laundry comes from where its Duber waits. */
const approximateMeters = () => {
  const [bud, scrub] = [order('bud_address'), order('scrub_address')];
  const drop = sql`(case ${delivery('delivery_type')} when 'Bud_To_Scrub' then ${scrub} else ${bud} end)`;
  return sql`case when not ${IS_PICKUP_MOVED}
    then ${metersBetween(approximatePointOf(bud), approximatePointOf(scrub))}
    else ${metersBetween(approximatePointSql(PICKUP), approximatePointOf(drop))} end`;
};

/** The distance of a delivery; between the approximate places where the viewer sees only those. */
function distanceJson(viewer: Viewer): Json<number> {
  const { budPlace } = VISIBLE_TO[viewer.role](viewer);
  const isExact = viewer.role === 'Duber' ? budPlace : ALWAYS;
  return ifElse(isExact, raw(delivery('distance_m')), raw(roundToHundreds(sql`(${approximateMeters()})`)));
}

/** How far a found place is from the centre of a search; in hundreds of metres where places are approximate. */
export const foundDistanceJson = (distance: RawBuilder<number>, isCareful: boolean): Json<number> =>
  raw(isCareful ? roundToHundreds(distance) : distance);

function duberJson(viewer: Viewer): Json<NonNullable<Delivery['duber']>> {
  const { duberName, duberContacts } = VISIBLE_TO[viewer.role](viewer);
  return object({ ...personJson('du', duberName), ...contactJson('du', duberContacts) });
}

/** Where the laundry of a delivery is whose Duber could not go on, for the next ones. Null while it comes from its address. */
function pickupJson(viewer: Viewer): Json<Delivery['pickup']> {
  if (viewer.role !== 'Duber') return nullJson;
  const rounded = approximatePointSql(PICKUP);
  const json = ifElse(
    VISIBLE_TO.Duber(viewer).budPlace,
    object({ latitude: raw(PICKUP.latitude), longitude: raw(PICKUP.longitude) }),
    object({
      latitude: raw(roundToFourDigits(rounded.latitude)),
      longitude: raw(roundToFourDigits(rounded.longitude)),
    }),
  );
  return when(IS_PICKUP_MOVED, json);
}

/** What the Duber of a delivery that has stopped was paid; for the Bud, what the order paid of one that was called off. */
function paidCents({ role, id }: Viewer): RawBuilder<number | null> {
  if (role === 'Scrub') return sql<null>`null`;
  const isCalledOff = sql`${delivery('status')} = 'Called_Off'`;
  const hasStopped = sql`(${delivery('status')} in ('Called_Off', 'Failed', 'Returned') and not ${isOnBoard('d')})`;
  const [cents, whose, isOver] =
    role === 'Bud'
      ? [sql`p.from_order`, ALWAYS, isCalledOff]
      : [sql`p.cents`, sql<boolean>`p.duber_id = ${id}::uuid`, hasStopped];
  return sql<number | null>`case when ${isOver} then (select coalesce(sum(${cents}), 0)::int
    from earnings p where p.delivery_id = ${delivery('id')} and p.undone_at is null and ${whose}) end`;
}

/** Whether the worker of an order or a delivery that is under way is kept from working: then its Bud does not read that they are at work. */
function isAway({ role }: Viewer, of: 'order' | 'delivery'): RawBuilder<boolean> {
  if (role !== 'Bud') return sql<boolean>`false`;
  return of === 'order'
    ? sql<boolean>`(${order('status')} in ('Accepted', 'In_Progress') and ${isKeptFromWork(order('scrub_id'))})`
    : sql<boolean>`(${isActiveDelivery('d')} and ${isKeptFromWork(delivery('duber_id'))})`;
}

/** Since when the laundry of a delivery stands at the door of its Bud, who has not said yet that they have it. */
const LEFT_AT_DOOR_AT = sql<Date | null>`(case when o.holder_role = 'Bud' and o.holder_delivery = ${delivery('id')} then
  (select case when last.proof = 'door' and not exists (select from handover_confirmations c
      where c.order_id = last.order_id and c.position = last.position) then o.held_since end
    from handovers last where last.order_id = o.id order by last.position desc limit 1) end)`;

/** Where the end is unknown, so is the start: the caller leaves the window out then. */
const windowJson = (from: RawBuilder<Date | null>, until: RawBuilder<Date | null>) =>
  object({ from: time(from as RawBuilder<Date>), until: time(until as RawBuilder<Date>) });

/** The times of order `o`, which has all of them or none. */
const TIMES_JSON = object<NonNullable<ListedOrder['times']>>({
  pickup: windowJson(order('pickup_from'), order('pickup_until')),
  return: windowJson(order('return_from'), order('return_until')),
  turnaround: quoted(order('turnaround') as RawBuilder<Turnaround>),
  promisedAt: time(order('promised_at') as RawBuilder<Date>),
});

/** The properties of a delivery, from `deliveries d`, `orders o`, joinSharedColumns and joinDeliverySteps. */
export function deliveryProperties(viewer: Viewer): JsonProperties<Delivery> {
  const shared = sharedColumns(viewer);
  const steps = deliveryListJson(viewer);
  const duberId = inViewersRound(viewer, delivery('round'), delivery('duber_id'));
  return {
    id: quoted(delivery('id')),
    orderId: quoted(delivery('order_id')),
    status: quoted(delivery('status')),
    statusHistory: steps('history'),
    deliveryType: quoted(delivery('delivery_type')),
    budId: quoted(delivery('bud_id')),
    scrubId: quoted(delivery('scrub_id')),
    duberId: orNull(quoted, duberId),
    price: dollars(delivery('price')),
    distanceInMeters: distanceJson(viewer),
    createdAt: time(delivery('created_at')),
    duber: firstOrNull(duberJson(viewer), sql`users du where du.id = ${duberId}`),
    bud: shared('bud'),
    scrub: shared('scrub'),
    order: orderOfDelivery(viewer, shared),
    round: raw(delivery('round')),
    attempt: raw(delivery('attempt')),
    hasLaundry: bool(isOnBoard('d')),
    pickup: pickupJson(viewer),
    exceptions: steps('exceptions'),
    paid: orNull(dollars, paidCents(viewer)),
    isDuberAway: bool(isAway(viewer, 'delivery')),
    // A Duber is done with it.
    leftAtDoorAt: orNull(time, viewer.role === 'Duber' ? sql<null>`null` : LEFT_AT_DOOR_AT),
    situation: quoted(deliverySituation(viewer)),
    arrivedAt: orNull(time, arrivedAt(viewer)),
    reOffers: orNull(raw, reOffers(viewer)),
    window: ifPresent(() => windowJson(delivery('due_from'), delivery('due_until')), delivery('due_from')),
    promisedAt: ifPresent(time, order('promised_at')),
  };
}

/** The properties of an order as its Bud or its Scrub sees it, from `orders o` and joinSharedColumns. */
export function orderProperties(viewer: Viewer): JsonProperties<ListedOrder> {
  const shared = sharedColumns(viewer);
  const steps = orderListJson(viewer);
  return {
    id: quoted(order('id')),
    number: quoted(orderNumber),
    status: quoted(order('status')),
    statusHistory: steps('history'),
    budId: quoted(order('bud_id')),
    scrubId: quoted(order('scrub_id')),
    loadSize: quoted(order('load_size')),
    selfDelivery: bool(order('self_delivery')),
    selfPickup: bool(order('self_pickup')),
    orderInstructions: instructionsJson(viewer),
    // Never null here: only a Duber does not see the price, and a Duber reads no orders.
    price: shared('price') as Json<Price>,
    scrubEarning: dollars(order('load_price')),
    createdAt: time(order('created_at')),
    budAddress: shared('bud_address'),
    scrub: shared('person'),
    bud: shared('bud'),
    deliveries: list(
      object(deliveryProperties(viewer)),
      sql`d.created_at, d.id`,
      sql`deliveries d ${joinDeliverySteps(viewer)} where d.order_id = o.id and ${isViewersRound(viewer, delivery('round')) ?? ALWAYS}`,
    ),
    reviews: shared('reviews'),
    round: raw(order('round')),
    isHandedOver: bool(sql<boolean>`${order('handed_over_at')} is not null`),
    exceptions: steps('exceptions'),
    isScrubAway: bool(isAway(viewer, 'order')),
    situation: quoted(orderSituation(viewer)),
    way: quoted(WAY),
    delay: orNull(quoted, DELAY),
    isCleanedAgain: bool(IS_CLEANED_AGAIN),
    givenBackUntil: orNull(time, GIVEN_BACK_UNTIL),
    times: ifPresent(() => TIMES_JSON, order('promised_at')),
  };
}
