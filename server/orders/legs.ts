import type { DeliveryType } from '../../domain/deliveries.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { openDelivery } from '../deliveries/deliveries.ts';

/** Opens a delivery of an order, in its present round. */
export async function openLeg(
  { now, newId }: Pick<Context, 'now' | 'newId'>,
  tx: Tx,
  order: OrderRow,
  deliveryType: DeliveryType,
): Promise<void> {
  const { id: orderId, round, budId, scrubId, distanceInMeters, waysPaidBy: paidBy } = order;
  const isOutbound = deliveryType === 'Bud_To_Scrub';
  const pickup = isOutbound ? order.budAddress : order.scrubAddress;
  const price = isOutbound ? order.price.pickup : order.price.delivery;
  const leg = { id: newId(), orderId, round, deliveryType, budId, scrubId, price, paidBy, distanceInMeters, pickup };
  await openDelivery(tx, leg, now());
}
