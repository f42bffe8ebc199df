import type { Tx } from '../../db/database.ts';
import { onDeliveryCalledOff, onLaundryDelivered } from '../../orders/laundryEvents.ts';
import { settleOrder } from '../../payments/earnings/pays.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `settles` and `arrives`: what the end of a delivery means for its order. */
export async function endWay(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  if (row.settles) {
    await settleOrder(tx, facts.orderId, at);
    await onDeliveryCalledOff(tx, facts.orderId, at);
  }
  if (row.arrives) await onLaundryDelivered(tx, facts.orderId, at);
}
