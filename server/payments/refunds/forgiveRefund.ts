import { linesOfForgiveness } from '../../../domain/orderAdjustment.ts';
import { codeShareOf } from '../../../domain/promos.ts';
import type { Tx } from '../../db/database.ts';
import { insertAdjustment } from '../ledger/adjustments.sql.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import { lockPayment, readOrderLedger } from '../ledger/orderLedger.sql.ts';

export type Forgiveness = {
  readonly orderId: string;
  readonly refundId: string;
  /** How much of the refund its liable party does not bear, of all of it: with what it was forgiven before. */
  readonly cents: number;
  readonly reason: string;
};

/** Moves a part of a refund's liability to the platform, and pays the liable party back what it has already paid of that part. */
export async function forgiveRefund(
  tx: Tx,
  { orderId, refundId, cents, reason }: Forgiveness,
  at: Date,
): Promise<void> {
  await lockPayment(tx, orderId);
  const refund = await tx
    .selectFrom('refunds')
    .select(['amount', 'discount', 'taxes', 'liable', 'liable_user as liableUser'])
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  // The same part of it without the taxes, which nobody bears, and beside the share of a promo code.
  const ofCode = codeShareOf(refund);
  const borne = refund.amount + refund.discount - refund.taxes - ofCode;
  const forgiven = ofCode + Math.round((cents * borne) / refund.amount);
  await tx.updateTable('refunds').set({ forgiven }).where('id', '=', refundId).execute();
  const lines = linesOfForgiveness(await readOrderLedger(tx, orderId), refund);
  const entryId = await writeLedgerEntry(tx, { kind: 'adjusted', orderId, at, lines });
  if (entryId !== undefined) await insertAdjustment(tx, { entryId, orderId, reason, setBy: 'Rubadub' });
}
