import type { Tx } from '../../db/database.ts';
import { reverseEarnings } from '../../payments/earnings/earnings.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `undoes`: what the Duber earned in this attempt is taken back. */
export async function undoEarnings(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  if (row.undoes) await reverseEarnings(tx, { deliveryId: facts.id, attempt: facts.attempt }, at);
}
