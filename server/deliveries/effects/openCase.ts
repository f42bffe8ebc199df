import { openCaseOfStep } from '../../cases/caseOfStep.ts';
import type { Tx } from '../../db/database.ts';
import type { Made } from '../../process/takeStep.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `opens`: a case for the town about the delivery. */
export const openCaseOfDelivery = (tx: Tx, step: DeliveryStepTaken): Promise<Made | undefined> => {
  const { id: deliveryId, orderId, duberId } = step.facts;
  return openCaseOfStep(tx, step, { orderId, deliveryId, people: { Duber: duberId } });
};
