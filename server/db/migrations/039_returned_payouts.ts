import { type Kysely, sql } from 'kysely';

// Payouts that the bank sends back. Every statement changes the catalog only: `not valid` skips the scan, and the rows that are
// there satisfy the wider checks anyway.
const STATEMENTS = [
  `alter table payouts
    drop constraint payouts_state_check,
    add constraint payouts_state_check check (state in ('due', 'sent', 'returned')) not valid,
    add column returned_at timestamptz,
    -- Its entry in the ledger, which gives the money back to the person. No foreign key: entries have one to payouts, and a
    -- backup needs an order of the tables.
    add column return_entry bigint,
    add constraint payouts_returned check ((state = 'returned') = (returned_at is not null)
      and (returned_at is null) = (return_entry is null)) not valid`,
  `alter table ledger_entries
    drop constraint ledger_entries_tell,
    add constraint ledger_entries_tell check (case
      when kind in ('captured', 'completed', 'adjusted', 'held', 'card-fee', 'disputed', 'dispute-won', 'dispute-lost')
        then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
      when kind in ('delivered', 'trip', 'returned', 'relayed', 'corrected')
        then order_id is not null and delivery_id is not null and num_nonnulls(refund_id, payout_id) = 0
      when kind = 'refunded' then order_id is not null and refund_id is not null and num_nonnulls(delivery_id, payout_id) = 0
      when kind = 'paid-out' then payout_id is not null and num_nonnulls(order_id, delivery_id, refund_id) = 0
      -- Its payout names it: an entry with a payout_id is the one that paid it.
      when kind = 'payout-returned' then num_nonnulls(order_id, delivery_id, refund_id, payout_id) = 0
      else false end) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
