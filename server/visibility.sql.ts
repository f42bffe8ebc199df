import { type RawBuilder, sql } from 'kysely';
import type { Delivery } from '../contract/deliveries.ts';
import type { Order } from '../contract/orders.ts';
import type { Caller } from '../domain/accounts.ts';
import { CONTACTS_LIFETIME_MS } from '../domain/deliveries.ts';
import {
  bool,
  dollars,
  type Json,
  list,
  nullJson,
  object,
  quoted,
  raw,
  text,
  time,
  toSql,
  when,
} from './db/json.sql.ts';

/**
 * Who sees what of an order and of a delivery, told once, as the JSON that leaves: of the tables `orders o`,
 * `deliveries d`, `users b` (the Bud), `users s` (the Scrub) and `users du` (the Duber, if any).
 */

type Role = Caller['role'];

/** Who is looking, and when: places of a statement. */
export type Viewer = { readonly role: Role; readonly id: RawBuilder<unknown>; readonly now: RawBuilder<unknown> };

const contact = (who: 'b' | 's' | 'du', seen = sql`true`): Record<'id' | 'fullname' | 'email' | 'phone', Json> => ({
  id: quoted(sql.ref(`${who}.id`)),
  fullname: text(sql.ref(`${who}.fullname`)),
  email: when(seen, text(sql.ref(`${who}.email`))),
  phone: when(seen, text(sql.ref(`${who}.phone`))),
});

export const priceJson: Json = object({
  loadPrice: dollars(sql`o.load_price`),
  delivery: dollars(sql`o.delivery_price`),
  pickup: dollars(sql`o.pickup_price`),
  platformFee: dollars(sql`o.platform_fee`),
  taxes: dollars(sql`o.taxes`),
  totalPrice: dollars(sql`o.total_price`),
});

/** The mean rating of `users u` to one decimal, a half up, 0 without any: in whole numbers, which are exact and cheap. */
export const ratingJson: Json = raw(
  sql`case when u.rating_count = 0 then 0
    else (20::bigint * u.rating_sum + u.rating_count) / (2 * u.rating_count) / 10::float8 end`,
);

const reviewJson: Json = object({
  id: quoted(sql`r.id`),
  type: quoted(sql`r.type`),
  rating: raw(sql`r.rating`),
  message: text(sql`r.message`),
  fromUserId: quoted(sql`r.from_user_id`),
  toUserId: quoted(sql`r.to_user_id`),
  orderId: quoted(sql`r.order_id`),
  deliveryId: when(sql`r.delivery_id is not null`, quoted(sql`r.delivery_id`)),
  createdAt: time('r.created_at'),
});

const isTheirs = ({ id }: Viewer) => sql`d.duber_id is not distinct from ${id}::uuid`;

/** A Duber reads the others' contacts only while the delivery is theirs and for a week after; domain/deliveries says so. */
const canDuberSeeContacts = (looker: Viewer) =>
  sql`(${isTheirs(looker)} and (d.delivered_at is null
    or d.delivered_at > ${looker.now}::timestamptz - interval '${sql.raw(String(CONTACTS_LIFETIME_MS))} milliseconds'))`;

const visibleReviews = (looker: Viewer) =>
  list(
    reviewJson,
    sql`r.created_at, r.id`,
    looker.role === 'Duber'
      ? sql`reviews r where r.order_id = o.id and r.delivery_id = d.id and r.to_user_id = d.duber_id
          and ${isTheirs(looker)}`
      : sql`reviews r where r.order_id = o.id`,
  );

/**
 * What several places of one answer show, written once a row as the columns of `part`. `offset 0` keeps the planner from
 * writing it anew at each place, and from joining the people in any other way than by their keys.
 */
export function joinSharedColumns(looker: Viewer): RawBuilder<unknown> {
  const seen = looker.role === 'Duber' ? canDuberSeeContacts(looker) : sql`true`;
  const scrubSeen = looker.role === 'Bud' ? sql`false` : seen;
  const address = ['[', sql`o.scrub_address`, ']'];
  const columns = {
    bud: object(contact('b', seen)),
    scrub: object({ ...contact('s', scrubSeen), addresses: address }),
    person: object({ id: quoted(sql`s.id`), fullname: text(sql`s.fullname`), addresses: address }),
    short_bud: object({ id: quoted(sql`b.id`), fullname: text(sql`b.fullname`) }),
    short_scrub: object({ id: quoted(sql`s.id`), fullname: text(sql`s.fullname`) }),
    price: looker.role === 'Duber' ? nullJson : priceJson,
    reviews: visibleReviews(looker),
  };
  const chosen = Object.entries(columns).map(([name, json]) => sql`${toSql(json)} as ${sql.ref(name)}`);
  return sql`cross join lateral (select ${sql.join(chosen)} from users b, users s
    where b.id = o.bud_id and s.id = o.scrub_id offset 0) part`;
}

const orderOfDelivery = (looker: Viewer): Json =>
  object({
    id: quoted(sql`o.id`),
    loadSize: quoted(sql`o.load_size`),
    price: raw(sql`part.price`),
    orderInstructions:
      looker.role === 'Duber' ? when(isTheirs(looker), text(sql`o.instructions`)) : text(sql`o.instructions`),
    budAddress: raw(sql`o.bud_address`),
    bud: raw(sql`part.bud`),
    scrub: raw(sql`part.scrub`),
    reviews: raw(sql`part.reviews`),
  });

/** The properties of a delivery, of the tables `deliveries d`, `orders o` and partsOf. */
export const deliveryProperties = (looker: Viewer): Record<keyof Delivery, Json> => ({
  id: quoted(sql`d.id`),
  orderId: quoted(sql`d.order_id`),
  status: quoted(sql`d.status`),
  statusHistory: list(
    object({
      status: quoted(sql`t.status`),
      createdAt: time('t.created_at'),
      takenAt: when(sql`t.taken_at is not null`, time('t.taken_at')),
      deliveryId: quoted(sql`t.delivery_id`),
    }),
    sql`t.position`,
    sql`delivery_steps t where t.delivery_id = d.id`,
  ),
  deliveryType: quoted(sql`d.delivery_type`),
  budId: quoted(sql`d.bud_id`),
  scrubId: quoted(sql`d.scrub_id`),
  duberId: when(sql`d.duber_id is not null`, quoted(sql`d.duber_id`)),
  price: dollars(sql`d.price`),
  distanceInMeters: raw(sql`d.distance_m`),
  createdAt: time('d.created_at'),
  duber: [sql`coalesce((select ${toSql(object(contact('du')))} from users du where du.id = d.duber_id), 'null')`],
  bud: raw(sql`part.bud`),
  scrub: raw(sql`part.scrub`),
  order: orderOfDelivery(looker),
});

/** The properties of an order as its Bud or its Scrub sees it, of the tables `orders o` and partsOf. */
export const orderProperties = (looker: Viewer): Record<keyof Order, Json> => ({
  id: quoted(sql`o.id`),
  status: quoted(sql`o.status`),
  statusHistory: list(
    object({ status: quoted(sql`t.status`), createdAt: time('t.created_at'), orderId: quoted(sql`t.order_id`) }),
    sql`t.position`,
    sql`order_steps t where t.order_id = o.id`,
  ),
  budId: quoted(sql`o.bud_id`),
  scrubId: quoted(sql`o.scrub_id`),
  loadSize: quoted(sql`o.load_size`),
  selfDelivery: bool(sql`o.self_delivery`),
  selfPickup: bool(sql`o.self_pickup`),
  orderInstructions: text(sql`o.instructions`),
  price: raw(sql`part.price`),
  scrubEarning: dollars(sql`o.load_price`),
  createdAt: time('o.created_at'),
  budAddress: raw(sql`o.bud_address`),
  scrub: raw(sql`part.person`),
  bud: raw(sql`part.bud`),
  deliveries: list(
    object(deliveryProperties(looker)),
    sql`d.created_at, d.id`,
    sql`deliveries d where d.order_id = o.id`,
  ),
  reviews: raw(sql`part.reviews`),
});

/** Some of the properties, all of them when none is named; always the id. */
export function pickFields<T extends Record<string, Json>>(shape: T, fields: readonly string[]): Record<string, Json> {
  if (fields.length === 0) return shape;
  return Object.fromEntries(Object.entries(shape).filter(([name]) => name === 'id' || fields.includes(name)));
}
