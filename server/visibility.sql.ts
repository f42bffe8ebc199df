import { type RawBuilder, sql } from 'kysely';
import type { Delivery } from '../contract/deliveries.ts';
import type { Order } from '../contract/orders.ts';
import type { Price } from '../contract/payments.ts';
import type { Caller } from '../domain/accounts.ts';
import { CONTACTS_LIFETIME_MS } from '../domain/deliveries.ts';
import { columnsOf } from './db/columns.sql.ts';
import {
  arrayOf,
  bool,
  dollars,
  firstOrNull,
  type Json,
  type JsonProperties,
  list,
  nullJson,
  object,
  orNull,
  type ParsedJson,
  quoted,
  raw,
  text,
  time,
  toSql,
  when,
} from './db/json.sql.ts';

/**
 * What each role sees of an order and of a delivery, as the JSON of the answer. The tables are `orders o`, `deliveries d`,
 * `users b` (the Bud), `users s` (the Scrub) and `users du` (the Duber, if any).
 */

const order = columnsOf('orders', 'o');
const delivery = columnsOf('deliveries', 'd');
const review = columnsOf('reviews', 'r');
const orderStep = columnsOf('order_steps', 't');
const deliveryStep = columnsOf('delivery_steps', 't');

/** The person who sees the answer, and the time: placeholders of a statement. */
export type Viewer = {
  readonly role: Caller['role'];
  readonly id: RawBuilder<unknown>;
  readonly now: RawBuilder<unknown>;
};

const personJson = (alias: 'b' | 's') => {
  const user = columnsOf('users', alias);
  return { id: quoted(user('id')), fullname: text(user('fullname')) };
};

const contactJson = (alias: 'b' | 's' | 'du', isVisible = sql`true`) => {
  const user = columnsOf('users', alias);
  return {
    id: quoted(user('id')),
    fullname: text(user('fullname')),
    email: when(isVisible, text(user('email'))),
    phone: when(isVisible, text(user('phone'))),
  };
};

const priceJson: Json<Price> = object({
  loadPrice: dollars(order('load_price')),
  delivery: dollars(order('delivery_price')),
  pickup: dollars(order('pickup_price')),
  platformFee: dollars(order('platform_fee')),
  taxes: dollars(order('taxes')),
  totalPrice: dollars(order('total_price')),
});

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

const isViewersDelivery = ({ id }: Viewer) => sql`d.duber_id is not distinct from ${id}::uuid`;

/** A Duber sees the contacts of the Bud and the Scrub while the delivery is theirs and for CONTACTS_LIFETIME_MS after it. */
const canDuberSeeContacts = (viewer: Viewer) =>
  sql`(${isViewersDelivery(viewer)} and (d.delivered_at is null
    or d.delivered_at > ${viewer.now}::timestamptz - interval '${sql.raw(String(CONTACTS_LIFETIME_MS))} milliseconds'))`;

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
  const canSeeContacts = viewer.role === 'Duber' ? canDuberSeeContacts(viewer) : sql`true`;
  const canSeeScrubContacts = viewer.role === 'Bud' ? sql`false` : canSeeContacts;
  const addresses = arrayOf(raw(order('scrub_address')));
  const price: Json<Price | null> = viewer.role === 'Duber' ? nullJson : priceJson;
  return {
    bud: object(contactJson('b', canSeeContacts)),
    scrub: object({ ...contactJson('s', canSeeScrubContacts), addresses }),
    person: object({ ...personJson('s'), addresses }),
    short_bud: object(personJson('b')),
    short_scrub: object(personJson('s')),
    price,
    reviews: visibleReviews(viewer),
  };
}

type SharedJson = ReturnType<typeof sharedJson>;

/** A column of joinSharedColumns. */
export const shared = <K extends keyof SharedJson>(name: K): SharedJson[K] =>
  raw(sql.ref<ParsedJson<SharedJson[K]>>(`part.${name}`)) as SharedJson[K];

/**
 * Computes once per row what several places of an answer repeat, as the columns of `part`. `offset 0` keeps the planner from
 * computing it again in each place, and makes it join the people by their keys.
 */
export function joinSharedColumns(viewer: Viewer): RawBuilder<unknown> {
  const columns = Object.entries(sharedJson(viewer)).map(([name, json]) => sql`${toSql(json)} as ${sql.ref(name)}`);
  return sql`cross join lateral (select ${sql.join(columns)} from users b, users s
    where b.id = o.bud_id and s.id = o.scrub_id offset 0) part`;
}

const orderOfDelivery = (viewer: Viewer): Json<Delivery['order']> => {
  const instructions = text(order('instructions'));
  return object({
    id: quoted(order('id')),
    loadSize: quoted(order('load_size')),
    price: shared('price'),
    orderInstructions: viewer.role === 'Duber' ? when(isViewersDelivery(viewer), instructions) : instructions,
    budAddress: raw(order('bud_address')),
    bud: shared('bud'),
    scrub: shared('scrub'),
    reviews: shared('reviews'),
  });
};

/** The properties of a delivery, from `deliveries d`, `orders o` and joinSharedColumns. */
export const deliveryProperties = (viewer: Viewer): JsonProperties<Delivery> => ({
  id: quoted(delivery('id')),
  orderId: quoted(delivery('order_id')),
  status: quoted(delivery('status')),
  statusHistory: list(
    object({
      status: quoted(deliveryStep('status')),
      createdAt: time(deliveryStep('created_at')),
      takenAt: orNull(time, deliveryStep('taken_at')),
      deliveryId: quoted(deliveryStep('delivery_id')),
    }),
    sql`t.position`,
    sql`delivery_steps t where t.delivery_id = d.id`,
  ),
  deliveryType: quoted(delivery('delivery_type')),
  budId: quoted(delivery('bud_id')),
  scrubId: quoted(delivery('scrub_id')),
  duberId: orNull(quoted, delivery('duber_id')),
  price: dollars(delivery('price')),
  distanceInMeters: raw(delivery('distance_m')),
  createdAt: time(delivery('created_at')),
  duber: firstOrNull(object(contactJson('du')), sql`users du where du.id = d.duber_id`),
  bud: shared('bud'),
  scrub: shared('scrub'),
  order: orderOfDelivery(viewer),
});

/** The properties of an order as its Bud or its Scrub sees it, from `orders o` and joinSharedColumns. */
export const orderProperties = (viewer: Viewer): JsonProperties<Order> => ({
  id: quoted(order('id')),
  status: quoted(order('status')),
  statusHistory: list(
    object({
      status: quoted(orderStep('status')),
      createdAt: time(orderStep('created_at')),
      orderId: quoted(orderStep('order_id')),
    }),
    sql`t.position`,
    sql`order_steps t where t.order_id = o.id`,
  ),
  budId: quoted(order('bud_id')),
  scrubId: quoted(order('scrub_id')),
  loadSize: quoted(order('load_size')),
  selfDelivery: bool(order('self_delivery')),
  selfPickup: bool(order('self_pickup')),
  orderInstructions: text(order('instructions')),
  // Never null here: only a Duber does not see the price, and a Duber reads no orders.
  price: shared('price') as Json<Price>,
  scrubEarning: dollars(order('load_price')),
  createdAt: time(order('created_at')),
  budAddress: raw(order('bud_address')),
  scrub: shared('person'),
  bud: shared('bud'),
  deliveries: list(
    object(deliveryProperties(viewer)),
    sql`d.created_at, d.id`,
    sql`deliveries d where d.order_id = o.id`,
  ),
  reviews: shared('reviews'),
});
