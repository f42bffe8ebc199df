import { v7 as newId } from 'uuid';
import type { DeliveryType } from '../../domain/deliveries.ts';
import type { WayHomePayer } from '../../domain/orders.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { openDelivery } from '../deliveries/deliveries.ts';
import { readTariff } from '../payments/prices/prices.sql.ts';

/** Opens the delivery that brings the laundry of an order home that ends here. A Bud who wanted to fetch it has not paid for one. */
export async function openWayHome(tx: Tx, order: OrderRow, payer: WayHomePayer, at: Date): Promise<void> {
  const price = order.selfPickup ? (await readTariff(tx, at)).delivery : null;
  const waysPaidBy = payer === 'bud' ? null : payer;
  await openOrderDelivery(tx, { ...order, waysPaidBy }, 'Scrub_To_Bud', at, price);
}

/** Opens a delivery of an order, in its present round. Without a price it costs what the Bud pays for this way. */
export async function openOrderDelivery(
  tx: Tx,
  order: OrderRow,
  deliveryType: DeliveryType,
  at: Date,
  price: number | null = null,
): Promise<void> {
  const { id: orderId, round, budId, scrubId, distanceInMeters, waysPaidBy: paidBy } = order;
  const isOutbound = deliveryType === 'Bud_To_Scrub';
  const pickup = isOutbound ? order.budAddress : order.scrubAddress;
  const delivery = {
    id: newId(),
    orderId,
    round,
    deliveryType,
    budId,
    scrubId,
    price,
    paidBy,
    distanceInMeters,
    pickup,
  };
  await openDelivery(tx, delivery, at);
}
