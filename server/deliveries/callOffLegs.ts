import { ENDED_STATUSES } from '../../domain/deliveries.ts';
import type { Cause } from '../../domain/process/delivery.ts';
import type { Tx } from '../db/database.ts';
import { readDeliveryWithHistory } from './deliveryExceptions.sql.ts';
import { chooseException, takeExceptionRow } from './deliveryExceptions.ts';

const SYSTEM = { role: 'System', id: null } as const;
const MAX_TRIES = 3;

/**
 * Calls off every delivery of an order that has ended, in the transaction that ends it, and pays a Duber who is on the way to the
 * pickup. A delivery with laundry on board continues: it ends with the hand-over.
 */
export async function callOffLegs(
  tx: Tx,
  orderId: string,
  { reason, cause }: { reason: string; cause: Cause },
  at: Date,
): Promise<void> {
  const legs = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', 'not in', ENDED_STATUSES)
    .orderBy('id')
    // A step that is faster is seen, and a slower one finds the delivery called off.
    .forNoKeyUpdate()
    .execute();
  for (const { id } of legs) await callOffLeg(tx, id, { reason, cause }, at);
}

/** Tries again when a Duber's step was faster. */
async function callOffLeg(tx: Tx, id: string, why: { reason: string; cause: Cause }, at: Date): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const delivery = await readDeliveryWithHistory(tx, SYSTEM, id);
    const request = { id, action: 'call-off', ...why } as const;
    if (!delivery || !chooseException(SYSTEM, delivery, request, at).ok) return;
    if (await takeExceptionRow(tx, SYSTEM, delivery, request, at)) return;
  }
  throw new Error(`delivery ${id} changed ${MAX_TRIES} times while it was called off`);
}
