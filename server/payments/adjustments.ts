import type { LedgerLine } from '../../domain/ledger.ts';
import { linesOfAdjustment } from '../../domain/orderAdjustment.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { findExpectedCredits, insertAdjustment } from './adjustments.sql.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import { lockAndFindRefunds, readOrderBooks } from './orderBooks.sql.ts';

/** The lines that would correct an order's books; none when nothing is wrong with them. */
export async function proposeAdjustment(tx: Tx, orderId: string): Promise<LedgerLine[]> {
  const [books, expected] = [await readOrderBooks(tx, orderId), await findExpectedCredits(tx, orderId)];
  return linesOfAdjustment(books, expected);
}

/** Writes the proposed lines as an entry, and returns them. */
export function adjustOrder(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { orderId, reason, setBy }: { orderId: string; reason: string; setBy: string },
): Promise<LedgerLine[]> {
  return transact(db, async (tx) => {
    await lockAndFindRefunds(tx, orderId);
    const lines = await proposeAdjustment(tx, orderId);
    const entryId = await writeLedgerEntry(tx, { kind: 'adjusted', orderId, at: now(), lines });
    if (entryId !== undefined) await insertAdjustment(tx, { entryId, orderId, reason, setBy });
    return lines;
  });
}
