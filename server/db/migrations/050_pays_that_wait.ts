import { type Kysely, sql } from 'kysely';
import type { LargeIndex } from '../largeIndexes.sql.ts';
import { lockTablesSql } from '../lockTables.sql.ts';

const STATEMENTS = [
  lockTablesSql(['payout_holds', 'delivery_steps']),
  // A hold of one pay: its credit waits, and other credits of the same order do not.
  `alter table payout_holds
    add column pay_entry bigint references ledger_entries,
    drop constraint payout_holds_once,
    add constraint payout_holds_once unique nulls not distinct (order_id, account, user_id, reason, case_id, pay_entry),
    drop constraint payout_holds_reason_check,
    add constraint payout_holds_reason_check
      check (reason in ('laundry-not-seen', 'case', 'lost', 'chargeback', 'platform-pay', 'trip')) not valid`,
  'create index payout_holds_of_pay on payout_holds (pay_entry) where pay_entry is not null',
  'create index payout_holds_of_case on payout_holds (case_id) where case_id is not null and ended_at is null',
  // From when an arrival counts that was said earlier than its Duber can have been there; and of a failure, whether more than
  // their word says that they were.
  'alter table delivery_steps add column counts_from timestamptz, add column is_proven boolean',
];

/** Made after the migrations. What no order bears is looked up for the sum of a week; most pays are not in it. */
export const PAYS_BEYOND_ORDER: LargeIndex = {
  name: 'pays_beyond_order',
  create: 'create index concurrently pays_beyond_order on pays (duber_id, at) where cents > from_order',
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
