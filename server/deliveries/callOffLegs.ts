import { sql } from 'kysely';
import { queryRows, type Tx } from '../db/database.ts';
import { publishMovedDeliverySql } from '../events/publish.ts';
import { payDuber } from '../payments/pays.ts';

/** Why the deliveries of an order are called off, and whose doing it is. */
export type CallingOff = { readonly reason: string; readonly cause: 'bud' | 'platform' };

type CalledOff = {
  readonly id: string;
  readonly from: string;
  readonly attempt: number;
  readonly duberId: string | null;
  readonly price: number;
};

/**
 * Ends the deliveries of an order that have not ended, except one whose Duber has the laundry. A Duber who is on the way is
 * paid for it: by the order when it is the Bud's doing, by the platform otherwise.
 */
export async function callOffLegs(tx: Tx, orderId: string, { reason, cause }: CallingOff, at: Date): Promise<void> {
  const legs = await queryRows<CalledOff>(
    tx,
    sql`select d.id, d.status as "from", d.attempt, d.duber_id as "duberId", d.price from deliveries d
      where d.order_id = ${orderId} and not d.has_laundry
        and d.status in ('Pending', 'Accepted', 'Way_To_Pick', 'Failed', 'Returned')
      order by d.id for update`,
  );
  for (const { id, from, attempt, duberId, price } of legs) {
    await queryRows(
      tx,
      sql`with moved as (update deliveries d set status = 'Called_Off' where d.id = ${id} returning d.*),
        step as (
          insert into delivery_steps (delivery_id, attempt, action, status, actor_role, reason, created_at, position)
            select m.id, m.attempt, 'call-off', 'Called_Off', 'System', ${reason}::text, ${at}::timestamptz,
              (select count(*) from delivery_steps p where p.delivery_id = m.id)
            from moved m),
        ${publishMovedDeliverySql({ from: sql`${from}`, to: sql`'Called_Off'`, now: sql`${at}` })}
        select m.id from moved m`,
    );
    if (from !== 'Way_To_Pick' || duberId === null) continue;
    const bornBy = cause === 'bud' ? 'order' : 'platform';
    await payDuber(tx, { deliveryId: id, orderId, attempt, duberId, kind: 'trip', cents: price, bornBy }, at);
  }
}
