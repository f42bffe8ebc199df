import type { Tx } from '../../db/database.ts';

/** Ends an intent that the card network declined and frees its idempotency key. False when it had ended before. */
export async function markDeclined(tx: Tx, orderId: string, reason: string, now: Date): Promise<boolean> {
  const card = { source_id: null, customer_id: null, verification_token: null };
  const cleared = { draft: null, ...card, idempotency_key: null, due_at: null };
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({ state: 'declined', failure: reason, ...cleared, updated_at: now })
    .where('order_id', '=', orderId)
    .where('state', '=', 'holding')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Why the card of an intent was declined; undefined when it was not. */
export async function findDeclineReason(tx: Tx, orderId: string): Promise<string | undefined> {
  const payment = await tx
    .selectFrom('payments')
    .select('failure')
    .where('order_id', '=', orderId)
    .where('state', '=', 'declined')
    .executeTakeFirst();
  return payment?.failure ?? undefined;
}
