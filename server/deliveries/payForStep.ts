import { openCase } from '../cases/openCase.ts';
import type { Tx } from '../db/database.ts';
import { holdForCase, type Pay, payUnderLock } from '../payments/pays.ts';

/**
 * Pays a Duber, when the step has locked the order's payment. What the platform would pay on their word alone, or above its sum for
 * a week, is a case for the town, and the credit waits for it.
 */
export async function payForStep(tx: Tx, pay: Pay, at: Date): Promise<void> {
  const waiting = await payUnderLock(tx, pay, at);
  if (!waiting) return;
  const { orderId, deliveryId, duberId } = pay;
  const aboutUser = { userId: duberId, role: 'Duber' } as const;
  const words = waiting.isProven ? ABOVE_LIMIT : UNPROVEN;
  const caseId = await openCase(tx, { kind: 'platform-pay', orderId, deliveryId, words, aboutUser }, at);
  await holdForCase(tx, waiting.entryId, caseId);
}

const UNPROVEN = 'No order pays for this, and nothing but the word of its Duber says that they were on the way.';
const ABOVE_LIMIT =
  'No order pays for this, and the platform has paid this Duber as much this week as it pays without asking.';
