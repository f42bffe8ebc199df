import { balanceOf } from '../../domain/orderBalance.ts';
import { orderShareOfPay } from '../../domain/pays.ts';
import type { Tx } from '../db/database.ts';
import { readOrderBooks } from './orderBooks.sql.ts';
import { readFeeLeft } from './pays.sql.ts';

/** What nobody has earned of an order that is held or charged, in cents. */
export async function readUnearnedCents(tx: Tx, orderId: string, totalPrice: number): Promise<number> {
  const books = await readOrderBooks(tx, orderId);
  const { free } = balanceOf(books);
  // What was not charged yet is not in the books.
  return Math.max(0, books.captured > 0 ? free : totalPrice + free);
}

/** What an order that ends now bears of a trip, in cents. */
export async function readTripShare(
  tx: Tx,
  { orderId, deliveryId, cents }: { orderId: string; deliveryId: string; cents: number },
): Promise<number> {
  const { hasRefunds, fee, order } = await readFeeLeft(tx, deliveryId);
  if (!hasRefunds) return orderShareOfPay(cents, { fee, order });
  const { free } = balanceOf(await readOrderBooks(tx, orderId));
  return orderShareOfPay(cents, { fee, order: Math.min(order, free) });
}
