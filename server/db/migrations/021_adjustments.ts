import { type Kysely, sql } from 'kysely';

// Every statement changes the catalog only, or creates an empty table. `not valid` skips the scan of a large table, and the
// rows that are there satisfy the new check anyway.
const ADJUSTMENTS = [
  // Entries that correct an order's books, with an operator's yes. A table, because an index on the entries of an order
  // would lock a large table.
  `create table adjustments (
    entry_id bigint primary key references ledger_entries,
    order_id uuid not null references orders,
    reason text not null,
    set_by text not null
  )`,
  'create index adjustments_of_order on adjustments (order_id)',
  `create trigger ledger_keep before update or delete or truncate on adjustments
    for each statement execute function ledger_keep()`,
  `alter table ledger_entries
    drop constraint ledger_entries_tell,
    add constraint ledger_entries_tell check (case kind
      when 'captured' then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
      when 'completed' then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
      when 'delivered' then order_id is not null and delivery_id is not null and num_nonnulls(refund_id, payout_id) = 0
      when 'refunded' then order_id is not null and refund_id is not null and num_nonnulls(delivery_id, payout_id) = 0
      when 'adjusted' then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
      when 'paid-out' then payout_id is not null and num_nonnulls(order_id, delivery_id, refund_id) = 0
      else false end) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of ADJUSTMENTS) await sql.raw(statement).execute(db);
}
