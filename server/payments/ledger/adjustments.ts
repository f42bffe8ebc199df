import { createHash } from 'node:crypto';
import type { LedgerLine } from '../../../domain/ledger.ts';
import { linesOfAdjustment } from '../../../domain/orderAdjustment.ts';
import type { Context } from '../../context.ts';
import { type Tx, transact } from '../../db/database.ts';
import { findExpectedCredits, insertAdjustment } from './adjustments.sql.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import { lockPayment, readOrderLedger } from './orderLedger.sql.ts';

/** The lines that would correct an order's ledger; none when nothing is wrong with it. */
export async function proposeAdjustment(tx: Tx, orderId: string): Promise<LedgerLine[]> {
  const [ledger, expected] = [await readOrderLedger(tx, orderId), await findExpectedCredits(tx, orderId)];
  return linesOfAdjustment(ledger, expected);
}

/** A short code for these lines. Passing it back confirms exactly these lines. */
export const confirmationCodeOf = (lines: readonly LedgerLine[]): string =>
  createHash('sha256')
    .update(JSON.stringify(lines.map(({ account, party, amount }) => [account, party, amount])))
    .digest('hex')
    .slice(0, 8);

/** Writes the proposed lines as an entry, and returns them. Undefined, and nothing written, when `code` names others. */
export function adjustOrder(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { orderId, reason, setBy, code }: { orderId: string; reason: string; setBy: string; code: string },
): Promise<LedgerLine[] | undefined> {
  return transact(db, async (tx) => {
    await lockPayment(tx, orderId);
    const lines = await proposeAdjustment(tx, orderId);
    if (lines.length > 0 && confirmationCodeOf(lines) !== code) return undefined;
    const entryId = await writeLedgerEntry(tx, { kind: 'adjusted', orderId, at: now(), lines });
    if (entryId !== undefined) await insertAdjustment(tx, { entryId, orderId, reason, setBy });
    return lines;
  });
}
