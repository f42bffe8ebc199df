import type { Tx } from '../../db/database.ts';
import { takeBackHandover } from '../../handovers/recordHandover.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/**
 * `takesBack`: a hand-over was a mistake. Before the earnings, because the Scrub's credit waits again when nobody has seen the laundry.
 */
export async function takeBack(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  const { id: deliveryId, attempt, orderId } = facts;
  if (!row.takesBack) return;
  const last = row.takesBack === 'handover-of-attempt' ? { orderId, deliveryId, attempt } : { orderId, deliveryId };
  await takeBackHandover(tx, last, at);
}
