import { caseOfStep } from '../../../domain/process/delivery.ts';
import { closeTakenBack } from '../../cases/openCase.ts';
import type { Tx } from '../../db/database.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `closesCase`: a failure that was pressed by mistake is nothing that the town has to look at. */
export async function closeCase(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  const kind = row.closesCase && caseOfStep(facts.lastAction);
  if (kind) await closeTakenBack(tx, { kind, deliveryId: facts.id, stepAt: facts.lastStepAt }, at);
}
