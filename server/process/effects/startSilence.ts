import { startsSilence } from '../../../domain/process/delivery.ts';
import type { Tx } from '../../db/database.ts';
import type { DeliveryStepTaken } from '../../deliveries/facts.ts';
import { startSilenceTimer } from '../../deliveries/silence.ts';

/** A Duber who is silent for too long loses the delivery: the time of the row `silent` begins with its status. */
export async function startSilence(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  if (startsSilence(row) && facts.doesSilenceCount) await startSilenceTimer(tx, facts.id, at);
}
