import { creditsOfCompletion, linesOfEarning } from '../../../domain/ledger.ts';
import { balanceOf, linesOfCutEarning } from '../../../domain/orderBalance.ts';
import type { Tx } from '../../db/database.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import { lockPayment, readOrderLedger } from '../ledger/orderLedger.sql.ts';
import { holdUnseenLaundry } from '../ledger/pendingPayouts.sql.ts';
import { readCompletionFacts } from './earnings.sql.ts';
import { settleOrder } from './earnings.ts';

/**
 * Writes into the ledger what the Scrub and the platform earn with a completed order: once, also when it is completed again.
 * Nobody is paid for laundry that nobody has seen: until then the Scrub's credit is in no payout.
 */
export async function recordCompletion(
  tx: Tx,
  { id: orderId, scrubId }: { readonly id: string; readonly scrubId: string },
  at: Date,
): Promise<void> {
  await lockPayment(tx, orderId);
  const facts = await readCompletionFacts(tx, orderId);
  if (facts.isRecorded) return;
  const credits = creditsOfCompletion({ scrubId, lines: facts.lines });
  const lines = facts.hasRefunds
    ? linesOfCutEarning(credits, balanceOf(await readOrderLedger(tx, orderId)))
    : linesOfEarning(credits);
  await writeLedgerEntry(tx, { kind: 'completed', orderId, at, lines });
  if (!facts.isSeen) await holdUnseenLaundry(tx, { orderId, scrubId, isOnItsWay: facts.isOnItsWay }, at);
  if (facts.hasExceptions) await settleOrder(tx, orderId, at);
}
