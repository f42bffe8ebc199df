import { sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import type { PromiseCredit } from '../../domain/promises.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { send } from '../db/driver.ts';
import { settingSql } from '../town/settings.sql.ts';

// Table `missed_promises`: what a missed promise pays.

/** Owes the credit of a missed promise, where the town pays for that. Nothing the second time. */
export const oweCredit = (tx: Tx, orderId: string, at: Date): Promise<void> =>
  send(
    tx,
    sql`insert into missed_promises (order_id, promised_at, cents, state, found_at)
      select o.id, o.promised_at, (c.credit ->> 'cents')::int, 'owed', ${at}::timestamptz
      from orders o, (select ${settingSql('promiseCredit', sql`${at}`)} as credit) c
      where o.id = ${orderId} and jsonb_typeof(c.credit) = 'object'
      on conflict (order_id) do nothing`,
  );

export async function isCreditOwed(tx: Tx, orderId: string): Promise<boolean> {
  const owed = tx.selectFrom('missed_promises').select('order_id').where('order_id', '=', orderId);
  return (await owed.where('state', '=', 'owed').executeTakeFirst()) !== undefined;
}

export type OwedCredit = {
  readonly promisedAt: Date;
  readonly cents: number;
  readonly borneBy: PromiseCredit['borneBy'] | null;
  /** What the platform earns with the order. */
  readonly fee: number;
  /** Who had the laundry at the promised time, by the chain of hand-overs; null for its Bud, who has given it to nobody. */
  readonly holderRole: Role | null;
  readonly holderId: string | null;
  readonly deliveryId: string | null;
  /** When the Bud had it back; null while they have not. */
  readonly backAt: Date | null;
  /** Whether a Duber stood at the door of the Bud with it in time. */
  readonly wasAtDoor: boolean;
};

/**
 * What is owed for an order, and the facts about it. A hand-over counts from when a phone without a network took it, as far as the server
 * has believed that, so this is read once no such phone sends anything any more.
 */
export function findOwedCredit(tx: Tx, orderId: string): Promise<OwedCredit | undefined> {
  return queryRow<OwedCredit>(
    tx,
    sql`select m.promised_at as "promisedAt", m.cents, c.credit ->> 'borneBy' as "borneBy",
        (select coalesce(sum(l.cents), 0)::int from order_lines l where l.order_id = m.order_id and l.earner = 'platform') as fee,
        held.taker_role as "holderRole", held.taker_id as "holderId", held.delivery_id as "deliveryId",
        case when o.status = 'Completed' and o.holder_role = 'Bud' then o.held_since end as "backAt",
        exists (select from steps t join deliveries d on d.id = t.subject_id
          where d.order_id = o.id and d.delivery_type = 'Scrub_To_Bud' and t.action = 'arrived-at-drop'
            and coalesce(t.counts_from, t.taken_at, t.at) <= m.promised_at) as "wasAtDoor"
      from missed_promises m join orders o on o.id = m.order_id
        cross join lateral (select ${settingSql('promiseCredit', sql`m.found_at`)} as credit) c
        left join lateral (select h.taker_role, h.taker_id, h.delivery_id from handovers h
          where h.order_id = m.order_id and coalesce(h.taken_at, h.at) <= m.promised_at order by h.position desc limit 1) held on true
      where m.order_id = ${orderId} and m.state = 'owed'`,
  );
}

type Settled = {
  readonly state: 'paid' | 'kept' | 'unpaid';
  readonly liable?: 'platform' | 'scrub' | 'duber';
  readonly liableUser?: string | null;
  readonly refundId?: string;
  readonly cents?: number;
  readonly backAt: Date | null;
};

export async function endOwedCredit(tx: Tx, orderId: string, settled: Settled, at: Date): Promise<void> {
  const { state, liable = null, liableUser = null, refundId = null, cents, backAt } = settled;
  await tx
    .updateTable('missed_promises')
    .set({ state, liable, liable_user: liableUser, refund_id: refundId, back_at: backAt, ended_at: at })
    .set(cents === undefined ? {} : { cents })
    .where('order_id', '=', orderId)
    .where('state', '=', 'owed')
    .execute();
}
