import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { OrderStep } from '../../contract/orders.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { Point } from '../../domain/places.ts';
import type { Tx } from '../db/database.ts';
import {
  insertNotificationsSql,
  queueDeliveredNotifications,
  queueNearbyNotice,
  queueOrderNotifications,
} from '../notifications/queueNotifications.sql.ts';
import { emitDeliveryEvent, emitNearbyDeliveryEvent, emitOrderEvent } from './events.sql.ts';

type DeliveryChange = Omit<DeliveryStep, 'takenAt'>;

/** The steps of an order that somebody is also told of who looks at no screen; placing one tells with tellPlaced. */
const NOTICE_KIND_OF_STATUS: Partial<Record<OrderStatus, NotificationKind>> = {
  Accepted: 'accepted',
  Rejected: 'rejected',
};

/**
 * Tells those concerned of an order's step, at their screens and elsewhere, in the transaction that it is written in.
 * `kind` is for a step that its status does not tell apart.
 */
export async function publishOrderStep(
  tx: Tx,
  step: OrderStep,
  kind = NOTICE_KIND_OF_STATUS[step.status],
): Promise<void> {
  await publishOrderUpdate(tx, step);
  if (kind) await queueOrderNotifications(tx, { kind, about: step.orderId }, new Date(step.createdAt));
}

/** As announceOrder, in the statement in which an order is `placed`: the steps of its `with`. */
export const publishPlacedOrderSql = (now: RawBuilder<unknown>): RawBuilder<unknown> => {
  const people = sql`placed o cross join lateral unnest(array[o.bud_id, o.scrub_id]) person`;
  return sql`told as (insert into events (user_id, entity, entity_id, status, at)
      select person, 'order', o.id, o.status, o.created_at from ${people}),
    told_elsewhere as (${insertNotificationsSql('placed', sql`select person, o.id from ${people}`, now)})`;
};

/** Tells the screens that there is something new to see of an order, which stands where it stood. */
export async function publishOrderUpdate(tx: Tx, { orderId: id, status, createdAt: at }: OrderStep): Promise<void> {
  await emitOrderEvent(tx, { id, status, at });
}

/** As announceOrder, of a delivery that begins to wait; also the Dubers who could take it. */
export async function publishNewDelivery(tx: Tx, step: DeliveryChange, pickup: Point): Promise<void> {
  const { deliveryId: id, status, createdAt: at } = step;
  await publishDeliveryUpdate(tx, step);
  await emitNearbyDeliveryEvent(tx, { id, status, at }, pickup);
  await queueNearbyNotice(tx, id, pickup, new Date(at));
}

/** What is told elsewhere than at the screens of a delivery that arrived; moveDelivery has told the screens. */
export function notifyDelivered(tx: Tx, { deliveryId, createdAt }: DeliveryChange): Promise<void> {
  return queueDeliveredNotifications(tx, deliveryId, new Date(createdAt));
}

/** As retellOrder, of a delivery. */
export async function publishDeliveryUpdate(
  tx: Tx,
  { deliveryId: id, status, createdAt: at }: DeliveryChange,
): Promise<void> {
  await emitDeliveryEvent(tx, { id, status, at });
}
