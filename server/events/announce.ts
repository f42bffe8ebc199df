import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { OrderStep } from '../../contract/orders.ts';
import type { Point } from '../../domain/places.ts';
import type { Tx } from '../database.ts';
import { tellDelivery, tellDubersAround, tellOrder } from './events.sql.ts';

/** Tells those concerned of an order's step, or of what was said about it, in the transaction that it is written in. */
export async function announceOrder(tx: Tx, { orderId: id, status, createdAt: at }: OrderStep): Promise<void> {
  await tellOrder(tx, { id, status, at });
}

/** As announceOrder, of a delivery. With its `pickup` point also the Dubers who could take it, or could until now. */
export async function announceDelivery(tx: Tx, step: DeliveryStep, pickup?: Point): Promise<void> {
  const { deliveryId: id, status, createdAt: at } = step;
  await tellDelivery(tx, { id, status, at });
  if (pickup) await tellDubersAround(tx, { id, status, at }, pickup);
}
