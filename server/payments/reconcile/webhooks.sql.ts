import type { Tx } from '../../db/database.ts';
import { makePollDue } from '../refunds/disputeMoney.sql.ts';

/** What a webhook event says it is about. It may be wrong or outdated. */
export type WebhookHint = {
  readonly eventId: string;
  readonly type: string;
  readonly squareId: string | null;
  readonly orderId: string | null;
  /** Whether it is about a chargeback. Those are few: all of them are read again. */
  readonly isDispute?: boolean;
};

/** Records an event; false when it is a duplicate. */
export async function recordWebhookEvent(tx: Tx, { eventId, type }: WebhookHint, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('webhook_events')
    .values({ id: eventId, type, received_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Makes the event's payment and refunds due: unfinished work is retried, and the payment is reconciled. */
export async function applyWebhookHint(tx: Tx, hint: WebhookHint, now: Date): Promise<void> {
  const { squareId, orderId, isDispute } = hint;
  if (isDispute) await makePollDue(tx, now);
  if (squareId === null && orderId === null) return;
  const payments = tx
    .selectFrom('payments')
    .select('order_id')
    .where((eb) => eb.or([eb('square_id', '=', squareId), eb('order_id', '=', orderId)]));
  await tx
    .updateTable('payments')
    .set({ look_at: now })
    .where('order_id', 'in', payments)
    .where('square_id', 'is not', null)
    .execute();
  await tx
    .updateTable('payments')
    .set({ due_at: now })
    .where('order_id', 'in', payments)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['capturing', 'voiding']),
        eb.and([eb('state', '=', 'voided'), eb('square_id', 'is', null)]),
      ]),
    )
    .execute();
  await tx
    .updateTable('refunds')
    .set({ due_at: now })
    .where('order_id', 'in', payments)
    .where('state', 'in', ['asking', 'pending'])
    .execute();
}
