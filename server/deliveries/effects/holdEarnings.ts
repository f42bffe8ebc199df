import type { Tx } from '../../db/database.ts';
import { holdCredits } from '../../payments/earnings/earnings.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `holds`: what the Duber earns with the order waits. */
export async function holdEarnings(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  const { orderId, duberId } = facts;
  if (row.holds && duberId)
    await holdCredits(tx, { orderId, account: 'duber', userId: duberId, reason: row.holds }, at);
}
