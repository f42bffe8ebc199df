import { type RawBuilder, sql } from 'kysely';
import { queryRows, type Tx } from '../../db/database.ts';
import { lockPayment } from '../ledger/orderLedger.sql.ts';

/** What banks have taken back of the payment of an order, and have not decided for us. In cents. */
export const takenByBank = (
  order: RawBuilder<unknown>,
) => sql<number>`(select coalesce(sum(c.cents), 0)::int from disputes c
  where c.order_id = ${order} and c.debit_entry is not null and c.status <> 'won')`;

/** The order that a payment of the card network pays for; undefined when it is not ours. */
export async function findOrderOfPayment(tx: Tx, squareId: string): Promise<string | undefined> {
  const payments = tx.selectFrom('payments as p').innerJoin('orders as o', 'o.id', 'p.order_id');
  return (await payments.select('o.id').where('p.square_id', '=', squareId).executeTakeFirst())?.id;
}

/** Locks the payment of an order, and returns whose card it is. */
export async function lockDisputedPayment(tx: Tx, orderId: string): Promise<string> {
  await lockPayment(tx, orderId);
  const payments = tx.selectFrom('payments').select('bud_id').where('order_id', '=', orderId);
  return (await payments.executeTakeFirstOrThrow()).bud_id;
}

/** Who earns something of an order, or may still: its Scrub, the Dubers of its deliveries, and who was paid before. */
export function listEarnersOf(tx: Tx, orderId: string): Promise<{ account: 'scrub' | 'duber'; userId: string }[]> {
  return queryRows(
    tx,
    sql`select 'scrub' as account, scrub_id as "userId" from orders where id = ${orderId}
      union select 'duber', duber_id from deliveries where order_id = ${orderId} and duber_id is not null
      union select 'duber', duber_id from earnings where order_id = ${orderId}
      union select h.account, h.user_id from payout_holds h
        where h.order_id = ${orderId} and h.reason = 'chargeback' and h.ended_at is null
      -- In one order, so that two chargebacks never wait for each other.
      order by 2`,
  );
}

/** The card network is asked for its chargebacks now. */
export async function makePollDue(tx: Tx, now: Date): Promise<void> {
  await tx.updateTable('dispute_polls').set({ due_at: now }).where('due_at', '>', now).execute();
}
