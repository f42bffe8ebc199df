import { type RawBuilder, sql } from 'kysely';
import type { Delivery } from '../contract/deliveries.ts';
import type { Order } from '../contract/orders.ts';
import type { Caller } from '../domain/accounts.ts';
import { CONTACTS_LIFETIME_MS } from '../domain/deliveries.ts';
import {
  bare,
  dollars,
  given,
  type Json,
  list,
  nothing,
  object,
  text,
  time,
  truth,
  word,
  written,
} from './db/json.sql.ts';

/**
 * Who sees what of an order and of a delivery, told once, as the JSON that leaves: of the tables `orders o`,
 * `deliveries d`, `users b` (the Bud), `users s` (the Scrub) and `users du` (the Duber, if any).
 */

type Role = Caller['role'];

/** Who is looking, and when: places of a statement. */
export type Looker = { readonly role: Role; readonly id: RawBuilder<unknown>; readonly now: RawBuilder<unknown> };

const contact = (who: 'b' | 's' | 'du', seen = sql`true`): Record<'id' | 'fullname' | 'email' | 'phone', Json> => ({
  id: word(sql.ref(`${who}.id`)),
  fullname: text(sql.ref(`${who}.fullname`)),
  email: given(seen, text(sql.ref(`${who}.email`))),
  phone: given(seen, text(sql.ref(`${who}.phone`))),
});

export const price: Json = object({
  loadPrice: dollars(sql`o.load_price`),
  delivery: dollars(sql`o.delivery_price`),
  pickup: dollars(sql`o.pickup_price`),
  platformFee: dollars(sql`o.platform_fee`),
  taxes: dollars(sql`o.taxes`),
  totalPrice: dollars(sql`o.total_price`),
});

/** The mean rating of `users u` to one decimal, a half up, 0 without any: in whole numbers, which are exact and cheap. */
export const rating: Json = bare(
  sql`case when u.rating_count = 0 then 0
    else (20::bigint * u.rating_sum + u.rating_count) / (2 * u.rating_count) / 10::float8 end`,
);

const review: Json = object({
  id: word(sql`r.id`),
  type: word(sql`r.type`),
  rating: bare(sql`r.rating`),
  message: text(sql`r.message`),
  fromUserId: word(sql`r.from_user_id`),
  toUserId: word(sql`r.to_user_id`),
  orderId: word(sql`r.order_id`),
  deliveryId: given(sql`r.delivery_id is not null`, word(sql`r.delivery_id`)),
  createdAt: time('r.created_at'),
});

const isTheirs = ({ id }: Looker) => sql`d.duber_id is not distinct from ${id}::uuid`;

/** A Duber reads the others' contacts only while the delivery is theirs and for a week after; domain/deliveries says so. */
const duberSees = (looker: Looker) =>
  sql`(${isTheirs(looker)} and (d.delivered_at is null
    or d.delivered_at > ${looker.now}::timestamptz - interval '${sql.raw(String(CONTACTS_LIFETIME_MS))} milliseconds'))`;

const reviewsSeen = (looker: Looker) =>
  list(
    review,
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
export function partsOf(looker: Looker): RawBuilder<unknown> {
  const seen = looker.role === 'Duber' ? duberSees(looker) : sql`true`;
  const scrubSeen = looker.role === 'Bud' ? sql`false` : seen;
  const address = ['[', sql`o.scrub_address`, ']'];
  const columns = {
    bud: object(contact('b', seen)),
    scrub: object({ ...contact('s', scrubSeen), addresses: address }),
    person: object({ id: word(sql`s.id`), fullname: text(sql`s.fullname`), addresses: address }),
    short_bud: object({ id: word(sql`b.id`), fullname: text(sql`b.fullname`) }),
    short_scrub: object({ id: word(sql`s.id`), fullname: text(sql`s.fullname`) }),
    price: looker.role === 'Duber' ? nothing : price,
    reviews: reviewsSeen(looker),
  };
  const chosen = Object.entries(columns).map(([name, json]) => sql`${written(json)} as ${sql.ref(name)}`);
  return sql`cross join lateral (select ${sql.join(chosen)} from users b, users s
    where b.id = o.bud_id and s.id = o.scrub_id offset 0) part`;
}

const orderOfDelivery = (looker: Looker): Json =>
  object({
    id: word(sql`o.id`),
    loadSize: word(sql`o.load_size`),
    price: bare(sql`part.price`),
    orderInstructions:
      looker.role === 'Duber' ? given(isTheirs(looker), text(sql`o.instructions`)) : text(sql`o.instructions`),
    budAddress: bare(sql`o.bud_address`),
    bud: bare(sql`part.bud`),
    scrub: bare(sql`part.scrub`),
    reviews: bare(sql`part.reviews`),
  });

/** The properties of a delivery, of the tables `deliveries d`, `orders o` and partsOf. */
export const deliveryShape = (looker: Looker): Record<keyof Delivery, Json> => ({
  id: word(sql`d.id`),
  orderId: word(sql`d.order_id`),
  status: word(sql`d.status`),
  statusHistory: list(
    object({
      status: word(sql`t.status`),
      createdAt: time('t.created_at'),
      takenAt: given(sql`t.taken_at is not null`, time('t.taken_at')),
      deliveryId: word(sql`t.delivery_id`),
    }),
    sql`t.position`,
    sql`delivery_steps t where t.delivery_id = d.id`,
  ),
  deliveryType: word(sql`d.delivery_type`),
  budId: word(sql`d.bud_id`),
  scrubId: word(sql`d.scrub_id`),
  duberId: given(sql`d.duber_id is not null`, word(sql`d.duber_id`)),
  price: dollars(sql`d.price`),
  distanceInMeters: bare(sql`d.distance_m`),
  createdAt: time('d.created_at'),
  duber: [sql`coalesce((select ${written(object(contact('du')))} from users du where du.id = d.duber_id), 'null')`],
  bud: bare(sql`part.bud`),
  scrub: bare(sql`part.scrub`),
  order: orderOfDelivery(looker),
});

/** The properties of an order as its Bud or its Scrub sees it, of the tables `orders o` and partsOf. */
export const orderShape = (looker: Looker): Record<keyof Order, Json> => ({
  id: word(sql`o.id`),
  status: word(sql`o.status`),
  statusHistory: list(
    object({ status: word(sql`t.status`), createdAt: time('t.created_at'), orderId: word(sql`t.order_id`) }),
    sql`t.position`,
    sql`order_steps t where t.order_id = o.id`,
  ),
  budId: word(sql`o.bud_id`),
  scrubId: word(sql`o.scrub_id`),
  loadSize: word(sql`o.load_size`),
  selfDelivery: truth(sql`o.self_delivery`),
  selfPickup: truth(sql`o.self_pickup`),
  orderInstructions: text(sql`o.instructions`),
  price: bare(sql`part.price`),
  scrubEarning: dollars(sql`o.load_price`),
  createdAt: time('o.created_at'),
  budAddress: bare(sql`o.bud_address`),
  scrub: bare(sql`part.person`),
  bud: bare(sql`part.bud`),
  deliveries: list(object(deliveryShape(looker)), sql`d.created_at, d.id`, sql`deliveries d where d.order_id = o.id`),
  reviews: bare(sql`part.reviews`),
});

/** Some of the properties, all of them when none is named; always the id. */
export function pick<T extends Record<string, Json>>(shape: T, fields: readonly string[]): Record<string, Json> {
  if (fields.length === 0) return shape;
  return Object.fromEntries(Object.entries(shape).filter(([name]) => name === 'id' || fields.includes(name)));
}
