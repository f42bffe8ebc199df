import { sql } from 'kysely';
import { credit, debit, dropZeroLines } from '../../../domain/ledger.ts';
import { balanceOf, linesOfShortfall } from '../../../domain/orderBalance.ts';
import { queryRow, type Tx, transact } from '../../db/database.ts';
import { insertAdjustment } from '../ledger/adjustments.sql.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import { lockPaymentSql, readOrderLedger } from '../ledger/orderLedger.sql.ts';
import { markDropped } from './refunds.sql.ts';
import { refundReduction } from './unearnedRefunds.ts';

/** Abandons a refund that Square refuses; false when no stuck refund has that id. */
export function dropRefund(db: Tx, id: string, at: Date): Promise<boolean> {
  return transact(db, async (tx) => {
    await queryRow(tx, lockPaymentSql(sql`select r.order_id from refunds r where r.id = ${id}`));
    const refund = await markDropped(tx, id, at);
    if (!refund) return false;
    if (refund.liable === 'nobody') await keepUnearned(tx, refund, at);
    // It had taken what goes back because the laundry weighed less.
    else await refundReduction(tx, refund.orderId, at);
    return true;
  });
}

type Dropped = { readonly orderId: string; readonly amount: number; readonly discount: number };

/**
 * Money that nobody has earned, and the card does not take back, stays with the platform, which gives it to the Bud in another way.
 * The platform gets back the part that it paid for a promo code.
 */
async function keepUnearned(tx: Tx, { orderId, amount, discount }: Dropped, at: Date): Promise<void> {
  const balance = balanceOf(await readOrderLedger(tx, orderId));
  const cents = amount + discount;
  const unearned = Math.min(cents, Math.max(0, balance.unearned));
  const lines = dropZeroLines([
    debit('unearned', unearned),
    ...linesOfShortfall(cents - unearned, balance),
    credit('platform-revenue', amount),
    credit('promotions', discount),
  ]);
  const entryId = await writeLedgerEntry(tx, { kind: 'adjusted', orderId, at, lines });
  const why = { reason: 'a refund of what nobody had earned was dropped', setBy: 'Rubadub' };
  if (entryId !== undefined) await insertAdjustment(tx, { entryId, orderId, ...why });
}
