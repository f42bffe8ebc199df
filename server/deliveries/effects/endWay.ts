import type { Tx } from '../../db/database.ts';
import { settleOrder } from '../../payments/earnings/earnings.ts';
import { startAfterDelivery, startAfterTakingBack, startAtEnd } from '../../process/orderTimers.sql.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `settles`, `arrives` and `takesBack`: what the end of a delivery means for its order, and that it has not ended. */
export async function endWay(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  if (row.settles) {
    await settleOrder(tx, facts.orderId, at);
    await startAtEnd.send(tx, facts.orderId, at);
  }
  if (row.arrives) await startAfterDelivery.send(tx, facts.orderId, at);
  if (row.takesBack === 'handover' && facts.type === 'Scrub_To_Bud')
    await startAfterTakingBack.send(tx, facts.orderId, at);
}
