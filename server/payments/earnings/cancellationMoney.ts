import { orderShareOfEarning } from '../../../domain/earnings.ts';
import { balanceOf } from '../../../domain/orderBalance.ts';
import { discountOn, divideGivenBack, paidInTwo } from '../../../domain/promos.ts';
import type { Tx } from '../../db/database.ts';
import { readOrderLedger } from '../ledger/orderLedger.sql.ts';
import { findSettlement, readFeeLeft } from './earnings.sql.ts';

/** The unearned part of an order that is held or charged, in cents. */
export async function readUnearnedCents(tx: Tx, orderId: string, totalPrice: number): Promise<number> {
  const ledger = await readOrderLedger(tx, orderId);
  const { free } = balanceOf(ledger);
  // An amount that is only held is not in the ledger.
  return Math.max(0, ledger.captured > 0 ? free : totalPrice + free);
}

/** What the card pays of a fee that an order costs which ends now, and what it gets back then: the rest is a promo code's. In cents. */
export async function divideCancellation(
  tx: Tx,
  { orderId, fee, left }: { orderId: string; fee: number; left: number },
): Promise<{ fee: number; refund: number }> {
  const settlement = await findSettlement(tx, orderId);
  if (!settlement) return { fee, refund: Math.max(0, left - fee) };
  const { charged, isCaptured } = settlement;
  const paid = paidInTwo(charged);
  const total = paid.card + paid.discount;
  const onCard = (cents: number) => cents - discountOn(cents, { ...paid, total });
  // Of what is only held, the card pays its share of all that stays, and so not of each part apart.
  const refund = isCaptured
    ? divideGivenBack(Math.max(0, left - fee), paid).card
    : paid.card - onCard(total - left + fee);
  return { fee: onCard(fee), refund: Math.max(0, refund) };
}

/** What an order that ends now bears of a trip, in cents. */
export async function readTripShare(
  tx: Tx,
  { orderId, deliveryId, cents }: { orderId: string; deliveryId: string; cents: number },
): Promise<number> {
  const { hasRefunds, fee, order } = await readFeeLeft(tx, deliveryId);
  if (!hasRefunds) return orderShareOfEarning(cents, { fee, order });
  const { free } = balanceOf(await readOrderLedger(tx, orderId));
  return orderShareOfEarning(cents, { fee, order: Math.min(order, free) });
}
