import { type RawBuilder, sql } from 'kysely';
import type { Delivery, DeliveryStep } from '../contract/deliveries.ts';
import type { Contact, OrderStep } from '../contract/orders.ts';
import type { KeptAddress } from '../contract/places.ts';
import type { Review } from '../contract/reviews.ts';
import type { DeliveryStatus, DeliveryType } from '../domain/deliveries.ts';
import type { LoadSize, OrderStatus } from '../domain/orders.ts';
import type { Price } from '../domain/payments.ts';

export type Kept = (typeof KeptAddress)['_output'];

/** An order as it is stored, money in cents; who may see what of it is decided in orders.shape.ts. */
export type OrderRow = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly budId: string;
  readonly scrubId: string;
  readonly loadSize: LoadSize;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly instructions: string | null;
  readonly price: Price;
  readonly createdAt: string;
  readonly budAddress: Kept;
  readonly scrubAddress: Kept;
  readonly distanceInMeters: number;
  readonly bud: Contact;
  readonly scrub: Contact;
  readonly steps: OrderStep[];
  readonly reviews: Review[];
};

/** A timestamp column as ISO 8601 UTC with milliseconds. */
export function iso(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export function contactJson(table: string): RawBuilder<Contact> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`json_build_object('id', ${column('id')}, 'fullname', ${column('fullname')}, 'email', ${column('email')},
    'phone', ${column('phone')})`;
}

const reviewsJson = sql`coalesce((select json_agg(json_build_object('id', r.id, 'type', r.type, 'rating', r.rating,
    'message', r.message, 'fromUserId', r.from_user_id, 'toUserId', r.to_user_id, 'orderId', r.order_id,
    'deliveryId', r.delivery_id, 'createdAt', ${iso('r.created_at')}) order by r.created_at, r.id)
  from reviews r where r.order_id = o.id), '[]')`;

const stepsJson = sql`(select json_agg(json_build_object('status', t.status, 'createdAt', ${iso('t.created_at')},
  'orderId', t.order_id) order by t.position) from order_steps t where t.order_id = o.id)`;

/** An OrderRow of the tables `orders o`, `users b` (its Bud) and `users s` (its Scrub). */
export const orderJson = sql`json_build_object('id', o.id, 'status', o.status, 'budId', o.bud_id, 'scrubId', o.scrub_id,
  'loadSize', o.load_size, 'selfDelivery', o.self_delivery, 'selfPickup', o.self_pickup,
  'instructions', o.instructions,
  'price', json_build_object('loadPrice', o.load_price, 'delivery', o.delivery_price, 'pickup', o.pickup_price,
    'platformFee', o.platform_fee, 'taxes', o.taxes, 'totalPrice', o.total_price),
  'createdAt', ${iso('o.created_at')}, 'budAddress', o.bud_address, 'scrubAddress', o.scrub_address,
  'distanceInMeters', o.distance_m, 'bud', ${contactJson('b')}, 'scrub', ${contactJson('s')},
  'steps', ${stepsJson}, 'reviews', ${reviewsJson})`;

/** A delivery as it is stored, money in cents; who may see what of it is decided in deliveries.shape.ts. */
export type DeliveryRow = {
  readonly id: string;
  readonly orderId: string;
  readonly status: DeliveryStatus;
  readonly deliveryType: DeliveryType;
  readonly budId: string;
  readonly scrubId: string;
  readonly duberId: string | null;
  readonly price: number;
  readonly distanceInMeters: number;
  readonly createdAt: string;
  readonly deliveredAt: string | null;
  readonly duber: Delivery['duber'];
  readonly steps: DeliveryStep[];
};

export type WholeOrder = { readonly order: OrderRow; readonly deliveries: readonly DeliveryRow[] };

export type WholeDelivery = { readonly delivery: DeliveryRow; readonly order: OrderRow };

/** A DeliveryRow of the tables `deliveries d` and `users du` (its Duber, if any). */
export const deliveryJson: RawBuilder<DeliveryRow> = sql`json_build_object('id', d.id, 'orderId', d.order_id,
  'status', d.status, 'deliveryType', d.delivery_type, 'budId', d.bud_id, 'scrubId', d.scrub_id,
  'duberId', d.duber_id, 'price', d.price, 'distanceInMeters', d.distance_m, 'createdAt', ${iso('d.created_at')},
  'deliveredAt', ${iso('d.delivered_at')},
  'duber', case when d.duber_id is null then null else ${contactJson('du')} end,
  'steps', (select json_agg(json_build_object('status', p.status, 'createdAt', ${iso('p.created_at')},
    'takenAt', ${iso('p.taken_at')}, 'deliveryId', p.delivery_id) order by p.position) from delivery_steps p where p.delivery_id = d.id))`;
