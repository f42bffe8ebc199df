import { linesOfForgiving } from '../../domain/orderAdjustment.ts';
import type { Tx } from '../db/database.ts';
import { insertAdjustment } from './adjustments.sql.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import { lockPayment, readOrderBooks } from './orderBooks.sql.ts';

export type Forgiven = {
  readonly orderId: string;
  readonly refundId: string;
  /** How much of the refund its liable party does not bear, of all of it: with what it was forgiven before. */
  readonly cents: number;
  readonly reason: string;
};

/** From now on the platform bears a part of a refund. What its liable party has paid of it goes back to them. */
export async function forgiveRefund(tx: Tx, { orderId, refundId, cents, reason }: Forgiven, at: Date): Promise<void> {
  await lockPayment(tx, orderId);
  const refund = await tx
    .selectFrom('refunds')
    .select(['amount', 'discount', 'taxes', 'liable', 'liable_user as liableUser'])
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  // The same part of it without the taxes, which nobody bears.
  const forgiven = Math.round((cents * (refund.amount + refund.discount - refund.taxes)) / refund.amount);
  await tx.updateTable('refunds').set({ forgiven }).where('id', '=', refundId).execute();
  const lines = linesOfForgiving(await readOrderBooks(tx, orderId), refund);
  const entryId = await writeLedgerEntry(tx, { kind: 'adjusted', orderId, at, lines });
  if (entryId !== undefined) await insertAdjustment(tx, { entryId, orderId, reason, setBy: 'Rubadub' });
}
