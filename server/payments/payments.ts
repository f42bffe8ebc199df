import { creditsOfCompletion, creditsOfDelivery, type LedgerLine, linesOfEarning } from '../../domain/ledger.ts';
import { balanceOf, linesOfCutEarning } from '../../domain/orderBalance.ts';
import type { Price } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import { lockAndFindRefunds, readOrderBooks } from './orderBooks.sql.ts';

/** Writes into the ledger what the Scrub and the platform earn with a completed order. */
export async function recordCompletion(
  tx: Tx,
  order: { readonly id: string; readonly scrubId: string; readonly price: Price },
  at: Date,
): Promise<void> {
  const lines = await linesOf(tx, order.id, creditsOfCompletion(order));
  await writeLedgerEntry(tx, { kind: 'completed', orderId: order.id, at, lines });
}

/** Writes into the ledger what the Duber earns with a delivery. `price` in cents. */
export async function recordDelivery(
  tx: Tx,
  delivery: { readonly id: string; readonly orderId: string; readonly duberId: string; readonly price: number },
  at: Date,
): Promise<void> {
  const { id: deliveryId, orderId } = delivery;
  const lines = await linesOf(tx, orderId, creditsOfDelivery(delivery));
  await writeLedgerEntry(tx, { kind: 'delivered', orderId, deliveryId, at, lines });
}

async function linesOf(tx: Tx, orderId: string, credits: readonly LedgerLine[]): Promise<LedgerLine[]> {
  if (!(await lockAndFindRefunds(tx, orderId))) return linesOfEarning(credits);
  return linesOfCutEarning(credits, balanceOf(await readOrderBooks(tx, orderId)));
}
