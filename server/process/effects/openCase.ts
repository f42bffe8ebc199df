import { openCase } from '../../cases/openCase.ts';
import type { Tx } from '../../db/database.ts';
import type { DeliveryStepTaken } from '../../deliveries/facts.ts';
import type { Made } from '../takeStep.ts';

/** `opens`: a case for the town. */
export async function openCaseOfStep(
  tx: Tx,
  { row, facts, request, at }: DeliveryStepTaken,
): Promise<Made | undefined> {
  if (!row.opens) return undefined;
  const { id: deliveryId, orderId, duberId } = facts;
  const { reason, words } = request;
  const about = row.opens.about && duberId ? { aboutUser: { userId: duberId, role: 'Duber' as const } } : {};
  return { caseId: await openCase(tx, { kind: row.opens.case, orderId, deliveryId, reason, words, ...about }, at) };
}
