import type { Tx } from '../../db/database.ts';
import { publishReOffer } from '../../events/publish.ts';
import { type DeliveryStepTaken, takenOf } from '../facts.ts';

/** `offers`: tells the Dubers near the pickup, also those who were told before. The event is part of the change. */
export async function offer(tx: Tx, step: DeliveryStepTaken): Promise<undefined> {
  const { row, facts, at } = step;
  if (row.offers) await publishReOffer(tx, facts.id, row.sets?.(takenOf(step)).pickup ?? facts.pickup, at);
}
