import { balanceOf } from '../../domain/orderBalance.ts';
import { orderShareOfPay } from '../../domain/pays.ts';
import type { Tx } from '../db/database.ts';
import { readOrderBooks } from './orderBooks.sql.ts';
import { readFeeLeft } from './pays.sql.ts';

/** The unearned part of an order that is held or charged, in cents. */
export async function readUnearnedCents(tx: Tx, orderId: string, totalPrice: number): Promise<number> {
  const books = await readOrderBooks(tx, orderId);
  const { free } = balanceOf(books);
  // An amount that is only held is not in the ledger.
  return Math.max(0, books.captured > 0 ? free : totalPrice + free);
}

/** The part of a trip that an order bears when it ends now, in cents. */
export async function readTripShare(
  tx: Tx,
  { orderId, deliveryId, cents }: { orderId: string; deliveryId: string; cents: number },
): Promise<number> {
  const { hasRefunds, fee, order } = await readFeeLeft(tx, deliveryId);
  if (!hasRefunds) return orderShareOfPay(cents, { fee, order });
  const { free } = balanceOf(await readOrderBooks(tx, orderId));
  return orderShareOfPay(cents, { fee, order: Math.min(order, free) });
}
