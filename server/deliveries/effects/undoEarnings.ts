import type { Tx } from '../../db/database.ts';
import { undoPays } from '../../payments/earnings/pays.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `undoes`: what the Duber earned in this attempt is taken back. */
export async function undoEarnings(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  if (row.undoes) await undoPays(tx, { deliveryId: facts.id, attempt: facts.attempt }, at);
}
