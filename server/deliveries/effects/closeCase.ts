import { caseOfStep } from '../../../domain/process/delivery.ts';
import { endCaseOfDelivery } from '../../cases/steps.ts';
import type { Tx } from '../../db/database.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `closesCase`: a failure that was pressed by mistake is nothing that the town has to look at. */
export async function closeCase(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  const kind = row.closesCase && caseOfStep(facts.lastAction);
  const { id: deliveryId, lastStepAt: openedAt } = facts;
  // A case that an earlier step has opened stays.
  if (kind) await endCaseOfDelivery(tx, { kind, deliveryId, openedAt }, 'taken-back', at);
}
