import { linesOfCompletion, linesOfDelivery } from '../../domain/ledger.ts';
import type { Price } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import { schedulePayment } from './payments.sql.ts';

/** Captures an order's hold after the transaction of the step that causes it. */
export const scheduleCapture = (tx: Tx, orderId: string, now: Date): Promise<void> =>
  schedulePayment(tx, orderId, 'capturing', now);

/** Voids an order's hold after the transaction of the step that causes it. */
export const scheduleVoid = (tx: Tx, orderId: string, now: Date): Promise<void> =>
  schedulePayment(tx, orderId, 'voiding', now);

/** Writes into the ledger what the Scrub and the platform earn with a completed order. */
export async function recordCompletion(
  tx: Tx,
  order: { readonly id: string; readonly scrubId: string; readonly price: Price },
  at: Date,
): Promise<void> {
  await writeLedgerEntry(tx, { kind: 'completed', orderId: order.id, at, lines: linesOfCompletion(order) });
}

/** Writes into the ledger what the Duber earns with a delivery. `price` in cents. */
export async function recordDelivery(
  tx: Tx,
  delivery: { readonly id: string; readonly orderId: string; readonly duberId: string; readonly price: number },
  at: Date,
): Promise<void> {
  const { id: deliveryId, orderId } = delivery;
  await writeLedgerEntry(tx, { kind: 'delivered', orderId, deliveryId, at, lines: linesOfDelivery(delivery) });
}
