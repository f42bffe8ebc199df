import { credit, creditsOfCompletion, creditsOfDelivery, type LedgerLine } from '../../../domain/ledger.ts';
import type { Tx } from '../../db/database.ts';
import { LINES } from '../../db/orderLines.sql.ts';

/** What everybody should have earned of an order once it has ended; undefined before. */
export async function findExpectedCredits(tx: Tx, orderId: string): Promise<LedgerLine[] | undefined> {
  const order = await tx
    .selectFrom('orders as o')
    .select(['o.status', 'o.scrub_id as scrubId', LINES.as('lines')])
    .where('o.id', '=', orderId)
    .executeTakeFirst();
  if (order?.status !== 'Completed') return undefined;
  const deliveries = await tx
    .selectFrom('deliveries')
    .select(['id', 'status', 'duber_id as duberId', 'price'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
  if (deliveries.some(({ status }) => status !== 'Delivered' && status !== 'Called_Off')) return undefined;
  const earnings = await tx
    .selectFrom('earnings')
    .select(['delivery_id as id', 'duber_id as duberId', 'from_order as price', 'undone_at as undoneAt'])
    .where('order_id', '=', orderId)
    .orderBy('delivery_id')
    .orderBy('attempt')
    .orderBy('kind')
    .execute();
  // Delivered by a release without earnings.
  const earlier = deliveries.filter(
    ({ id, status }) => status === 'Delivered' && earnings.every((earning) => earning.id !== id),
  );
  const earnedByDubers = [...earlier, ...earnings.filter(({ undoneAt }) => undoneAt === null)].flatMap(
    ({ duberId, price }) => (duberId === null ? [] : creditsOfDelivery({ duberId, price })),
  );
  const kept = await tx
    .selectFrom('refunds')
    .select('amount')
    .where('order_id', '=', orderId)
    .where('liable', '=', 'nobody')
    .where('state', '=', 'dropped')
    .execute();
  const keptByPlatform = kept.map(({ amount }) => credit('platform-revenue', amount));
  return [...creditsOfCompletion(order), ...earnedByDubers, ...keptByPlatform];
}

/** Records who has adjusted an order and why, with the entry that does it. */
export async function insertAdjustment(
  tx: Tx,
  { entryId, orderId, reason, setBy }: { entryId: string; orderId: string; reason: string; setBy: string },
): Promise<void> {
  await tx.insertInto('adjustments').values({ entry_id: entryId, order_id: orderId, reason, set_by: setBy }).execute();
}
