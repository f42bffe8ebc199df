import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { OrderStep } from '../../contract/orders.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { bandOf, type Point } from '../../domain/places.ts';
import { queryRows, type Tx } from '../db/database.ts';
import {
  insertNotificationsSql,
  queueDeliveredNotifications,
  queueNearbyNotice,
  queueOrderNotifications,
} from '../notifications/queueNotifications.sql.ts';

// Everything that tells people about a step: events for open screens, and notifications by mail and push. All of it is
// written in the transaction of the step. Raw SQL: one statement finds the people of an order and writes a row for each.

type DeliveryChange = Omit<DeliveryStep, 'takenAt'>;

/** The steps of an order that also send a notification. Placing an order publishes with `publishPlacedOrderSql`. */
const NOTIFICATION_OF_STATUS: Partial<Record<OrderStatus, NotificationKind>> = {
  Accepted: 'accepted',
  Rejected: 'rejected',
};

/** Publishes a step of an order to its Bud and Scrub. `kind` is for a step whose status alone does not say it. */
export async function publishOrderStep(
  tx: Tx,
  step: OrderStep,
  kind = NOTIFICATION_OF_STATUS[step.status],
): Promise<void> {
  await publishOrderUpdate(tx, step);
  if (kind) await queueOrderNotifications(tx, { kind, about: step.orderId }, new Date(step.createdAt));
}

/** Publishes a new order. These are the parts of the `with` of the statement that inserts it as `placed`. */
export const publishPlacedOrderSql = (now: RawBuilder<unknown>): RawBuilder<unknown> => {
  const people = sql`placed o cross join lateral unnest(array[o.bud_id, o.scrub_id]) person`;
  return sql`order_events as (insert into events (user_id, entity, entity_id, status, at)
      select person, 'order', o.id, o.status, o.created_at from ${people}),
    order_notifications as (${insertNotificationsSql('placed', sql`select person, o.id from ${people}`, now)})`;
};

/** Publishes that an order has something new to show although its status is the same. Sends no notification. */
export async function publishOrderUpdate(tx: Tx, { orderId, status, createdAt }: OrderStep): Promise<void> {
  await queryRows(
    tx,
    sql`insert into events (user_id, entity, entity_id, status, at)
      select person, 'order', o.id, ${status}, ${createdAt}::timestamptz
      from orders o cross join lateral unnest(array[o.bud_id, o.scrub_id]) person where o.id = ${orderId}`,
  );
}

/** Publishes a delivery that waits for a Duber, also to the Dubers near its pickup. */
export async function publishNewDelivery(tx: Tx, step: DeliveryChange, pickup: Point): Promise<void> {
  const { deliveryId, status, createdAt } = step;
  const { latitude, longitude } = pickup;
  await publishDeliveryUpdate(tx, step);
  // One row, however many Dubers there are: each reader finds out which of its streams are concerned.
  await tx
    .insertInto('events')
    .values({
      entity: 'delivery',
      entity_id: deliveryId,
      status,
      at: createdAt,
      latitude,
      longitude,
      band: bandOf(latitude),
    })
    .execute();
  await queueNearbyNotice(tx, deliveryId, pickup, new Date(createdAt));
}

/**
 * Publishes a step of a delivery to its people, and to the Dubers nearby when it no longer waits. These are the parts of
 * the `with` of the statement that updates the delivery as `moved`.
 */
export const publishMovedDeliverySql = (
  step: Record<'from' | 'to' | 'now', RawBuilder<unknown>>,
): RawBuilder<unknown> => sql`delivery_events as (
    insert into events (user_id, entity, entity_id, status, at)
      select person, 'delivery', m.id, ${step.to}, ${step.now}::timestamptz
      from moved m cross join lateral unnest(array[m.bud_id, m.scrub_id, m.duber_id]) person),
  nearby_events as (
    insert into events (entity, entity_id, status, at, latitude, longitude, band)
      select 'delivery', m.id, ${step.to}, ${step.now}::timestamptz, m.pickup_latitude, m.pickup_longitude, m.pickup_band
      from moved m where ${step.from}::text = 'Pending')`;

/** Queues the notifications about a completed delivery. Its events are part of the statement that moves it. */
export function notifyDelivered(tx: Tx, { deliveryId, createdAt }: DeliveryChange): Promise<void> {
  return queueDeliveredNotifications(tx, deliveryId, new Date(createdAt));
}

/** Publishes a delivery to its Bud, Scrub and, once there is one, Duber. Sends no notification. */
export async function publishDeliveryUpdate(tx: Tx, { deliveryId, status, createdAt }: DeliveryChange): Promise<void> {
  await queryRows(
    tx,
    sql`insert into events (user_id, entity, entity_id, status, at)
      select person, 'delivery', d.id, ${status}, ${createdAt}::timestamptz
      from deliveries d cross join lateral unnest(array[d.bud_id, d.scrub_id, d.duber_id]) person
      where d.id = ${deliveryId} and person is not null`,
  );
}

/**
 * Publishes to the Bud and the Scrub that the Duber of a delivery has a new position. The event replaces the one before
 * and does not contain the position, so that no trail is stored: readers look up the latest.
 */
export async function publishPosition(tx: Tx, deliveryId: string, at: Date): Promise<void> {
  await tx.deleteFrom('events').where('entity', '=', 'position').where('entity_id', '=', deliveryId).execute();
  await queryRows(
    tx,
    sql`insert into events (user_id, entity, entity_id, at)
      select person, 'position', d.id, ${at}::timestamptz
      from deliveries d cross join lateral unnest(array[d.bud_id, d.scrub_id]) person where d.id = ${deliveryId}`,
  );
}
