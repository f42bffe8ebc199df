import { sql } from 'kysely';
import { queryRows, type Tx } from '../server/db/database.ts';

type Places = {
  readonly context: { readonly db: Tx };
  readonly users: { readonly buds: readonly { readonly id: string }[] };
};

/** Refunds an accepted order as earlier releases did: from the taxes and the platform, although everything was unearned. */
export async function writeRefundOfEarlierRelease({ context, users }: Places, orderId: string): Promise<void> {
  await queryRows(
    context.db,
    sql`with refund as (insert into refunds (id, order_id, amount, taxes, liable, reason, state, created_at, updated_at)
        values (gen_random_uuid(), ${orderId}, 2683, 110, 'platform', 'late', 'refunded', now(), now()) returning id),
      paid as (update payments set refunded = 2683 where order_id = ${orderId}),
      entry as (insert into ledger_entries (kind, order_id, refund_id, at)
        select 'refunded', ${orderId}, id, now() from refund returning id)
      insert into ledger_lines (entry_id, position, account, party, amount)
        select entry.id, l.position, l.account, l.party, l.amount from entry, (values (0, 'refund-costs', null, 2573),
          (1, 'taxes-payable', null, 110), (2, 'card-clearing', ${users.buds[0]?.id}::uuid, -2683)
        ) as l (position, account, party, amount)`,
  );
}
