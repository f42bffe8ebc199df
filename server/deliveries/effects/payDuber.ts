import { openCase } from '../../cases/openCase.ts';
import type { Tx } from '../../db/database.ts';
import { type Earning, holdForCase, lockPayment, payUnderLock } from '../../payments/earnings/earnings.ts';
import type { Made } from '../../process/takeStep.ts';
import { isFailureProven, isOnTheWay } from '../evidence.ts';
import { type DeliveryStepTaken, photosOf, takenOf } from '../facts.ts';

/** `pays`: what the Duber earns with the step. */
export async function payDuber(tx: Tx, step: DeliveryStepTaken, { caseId }: Made): Promise<undefined> {
  const { row, facts, at } = step;
  const { id: deliveryId, attempt, orderId, duberId, price } = facts;
  const taken = takenOf(step);
  const borneBy = row.pays?.borneBy(taken);
  if (!row.pays || !borneBy || duberId === null) return;
  await lockPayment(tx, orderId);
  const evidence = { caseId, isProven: await isProven(tx, step) };
  const cents = row.pays.cents?.(taken) ?? price;
  await payForStep(tx, { deliveryId, orderId, attempt, duberId, kind: row.pays.kind, cents, borneBy, evidence }, at);
}

/** Whether something besides the word of its Duber says that what is paid for happened. */
async function isProven(tx: Tx, { row, facts, actor, request }: DeliveryStepTaken): Promise<boolean> {
  switch (row.pays?.provenBy) {
    case 'failure':
      return isFailureProven(facts, photosOf(actor, request).length);
    case 'failure-before':
      return facts.isFailureProven ?? true;
    case 'on-the-way':
      return isOnTheWay(tx, facts);
    // Another Duber has got the laundry, or an operator has asked.
    default:
      return true;
  }
}

/**
 * Pays a Duber, when the order's payment is locked. What the platform would pay on their word alone, or above its sum for a week, is a
 * case for the town, and the credit waits for it.
 */
export async function payForStep(tx: Tx, earning: Earning, at: Date): Promise<void> {
  const waiting = await payUnderLock(tx, earning, at);
  if (!waiting) return;
  const { orderId, deliveryId, duberId } = earning;
  const aboutUser = { userId: duberId, role: 'Duber' } as const;
  const words = waiting.isProven ? ABOVE_LIMIT : UNPROVEN;
  const caseId = await openCase(tx, { kind: 'platform-pay', orderId, deliveryId, words, aboutUser }, at);
  await holdForCase(tx, waiting.entryId, caseId);
}

const UNPROVEN = 'No order pays for this, and nothing but the word of its Duber says that they were on the way.';
const ABOVE_LIMIT =
  'No order pays for this, and the platform has paid this Duber as much this week as it pays without asking.';
