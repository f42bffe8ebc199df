import { balanceOf } from '../../domain/orderBalance.ts';
import type { Tx } from '../db/database.ts';
import { readOrderBooks } from './orderBooks.sql.ts';

/** What nobody has earned of an order that is held or charged, in cents. */
export async function readMoneyLeft(tx: Tx, orderId: string, totalPrice: number): Promise<number> {
  const books = await readOrderBooks(tx, orderId);
  const { free } = balanceOf(books);
  // What was not charged yet is not in the books.
  return Math.max(0, books.captured > 0 ? free : totalPrice + free);
}
