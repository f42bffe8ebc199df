import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { OrderStep } from '../../contract/orders.ts';
import type { NoticeKind } from '../../domain/notifications.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { Point } from '../../domain/places.ts';
import type { Tx } from '../database.ts';
import { queueDelivered, queueNearby, queueOfOrder } from '../notifications/queue.sql.ts';
import { tellDelivery, tellDubersAround, tellOrder } from './events.sql.ts';

type Delivering = Omit<DeliveryStep, 'takenAt'>;

/** The steps of an order that somebody is also told of who looks at no screen. */
const KIND_OF: Partial<Record<OrderStatus, NoticeKind>> = {
  Requested: 'placed',
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

/** Tells the screens that there is something new to see of an order, which stands where it stood. */
export async function retellOrder(tx: Tx, { orderId: id, status, createdAt: at }: OrderStep): Promise<void> {
  await tellOrder(tx, { id, status, at });
}

/** As announceOrder, of a delivery. With its `pickup` point also the Dubers who could take it, or could until now. */
export async function announceDelivery(tx: Tx, step: Delivering, pickup?: Point): Promise<void> {
  const { deliveryId: id, status, createdAt: at } = step;
  await retellDelivery(tx, step);
  if (pickup) await tellDubersAround(tx, { id, status, at }, pickup);
  if (pickup && status === 'Pending') await queueNearby(tx, id, pickup, new Date(at));
  if (status === 'Delivered') await queueDelivered(tx, id, new Date(at));
}

/** As retellOrder, of a delivery. */
export async function retellDelivery(tx: Tx, { deliveryId: id, status, createdAt: at }: Delivering): Promise<void> {
  await tellDelivery(tx, { id, status, at });
}
