import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { OrderStep } from '../../contract/orders.ts';
import type { NoticeKind } from '../../domain/notifications.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { Point } from '../../domain/places.ts';
import type { Tx } from '../db/database.ts';
import { messages, queueDelivered, queueNearby, queueOfOrder } from '../notifications/outbox.sql.ts';
import { tellDelivery, tellDubersAround, tellOrder } from './events.sql.ts';

type Delivering = Omit<DeliveryStep, 'takenAt'>;

/** The steps of an order that somebody is also told of who looks at no screen; placing one tells with tellPlaced. */
const KIND_OF: Partial<Record<OrderStatus, NoticeKind>> = {
  Accepted: 'accepted',
  Rejected: 'rejected',
};

/**
 * Tells those concerned of an order's step, at their screens and elsewhere, in the transaction that it is written in.
 * `kind` is for a step that its status does not tell apart.
 */
export async function announceOrder(tx: Tx, step: OrderStep, kind = KIND_OF[step.status]): Promise<void> {
  await retellOrder(tx, step);
  if (kind) await queueOfOrder(tx, { kind, about: step.orderId }, new Date(step.createdAt));
}

/** As announceOrder, in the statement in which an order is `placed`: the steps of its `with`. */
export const tellPlaced = (now: RawBuilder<unknown>): RawBuilder<unknown> => {
  const people = sql`placed o cross join lateral unnest(array[o.bud_id, o.scrub_id]) person`;
  return sql`told as (insert into events (user_id, entity, entity_id, status, at)
      select person, 'order', o.id, o.status, o.created_at from ${people}),
    told_elsewhere as (${messages('placed', sql`select person, o.id from ${people}`, now)})`;
};

/** Tells the screens that there is something new to see of an order, which stands where it stood. */
export async function retellOrder(tx: Tx, { orderId: id, status, createdAt: at }: OrderStep): Promise<void> {
  await tellOrder(tx, { id, status, at });
}

/** As announceOrder, of a delivery that begins to wait; also the Dubers who could take it. */
export async function announceDelivery(tx: Tx, step: Delivering, pickup: Point): Promise<void> {
  const { deliveryId: id, status, createdAt: at } = step;
  await retellDelivery(tx, step);
  await tellDubersAround(tx, { id, status, at }, pickup);
  await queueNearby(tx, id, pickup, new Date(at));
}

/** What is told elsewhere than at the screens of a delivery that arrived; moveDelivery has told the screens. */
export function announceArrival(tx: Tx, { deliveryId, createdAt }: Delivering): Promise<void> {
  return queueDelivered(tx, deliveryId, new Date(createdAt));
}

/** As retellOrder, of a delivery. */
export async function retellDelivery(tx: Tx, { deliveryId: id, status, createdAt: at }: Delivering): Promise<void> {
  await tellDelivery(tx, { id, status, at });
}
