import { isOpenCase } from '../../domain/cases.ts';
import { describeMarks, isTelling, type SameMark } from '../../domain/samePeople.ts';
import { lockUser } from '../auth/restrictions.sql.ts';
import type { Tx } from '../db/database.ts';
import { holdCredits } from '../payments/earnings/earnings.ts';
import { openCase } from './openCase.ts';
import {
  type FoundBefore,
  insertSamePeople,
  listFoundBefore,
  listSamePeople,
  type Payee,
  type SamePerson,
} from './samePeople.sql.ts';

/**
 * Keeps what somebody has earned with orders of their own out of a payout, and shows it to the town: once for two people, however
 * many orders there are. Call it in the transaction of the payout, before that. The work goes on.
 */
export async function holdSamePeople(tx: Tx, payee: Payee, before: Date, at: Date): Promise<void> {
  // A payout or a pending payout of the same person is made before or after.
  await lockUser(tx, payee.userId);
  for (const match of await listSamePeople(tx, payee, before)) {
    const found = await listFoundBefore(tx, payee.userId, match.otherId);
    if (!isNew(match.marks, found)) continue;
    const caseId = found.find(({ status }) => isOpenCase(status))?.caseId ?? (await openCaseOf(tx, match, at));
    await insertSamePeople(tx, { people: [payee.userId, match.otherId], caseId, marks: match.marks }, at);
    for (const orderId of match.orderIds)
      await holdCredits(tx, { orderId, ...payee, reason: 'same-people', caseId }, at);
  }
}

/** Whether there is anything that the town has not found to be in order. */
function isNew(marks: readonly SameMark[], found: readonly FoundBefore[]): boolean {
  const inOrder = found.filter(({ status, isDecided }) => status === 'closed' && !isDecided);
  const known = new Set(inOrder.flatMap((one) => one.marks));
  return marks.some((mark) => isTelling(mark) && !known.has(mark));
}

function openCaseOf(tx: Tx, match: SamePerson, at: Date): Promise<string> {
  const { name, otherName, marks, orderIds } = match;
  const words = `${name} and ${otherName} have ${describeMarks(marks)}. Payouts of what they earn together wait. Close this when it is in order.`;
  return openCase(tx, { kind: 'same-people', orderId: orderIds[0] ?? '', words }, at);
}
