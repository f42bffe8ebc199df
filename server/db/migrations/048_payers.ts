import { type Kysely, sql } from 'kysely';
import type { LargeIndex } from '../largeIndexes.sql.ts';
import { lockTablesSql } from '../lockTables.sql.ts';

const STATEMENTS = [
  lockTablesSql(['payout_holds', 'delivery_steps']),
  // A keyed digest of the number, so that two people with the same one are found without decrypting anybody's. Null until the server
  // has seen it with its key.
  'alter table payout_accounts add column mark bytea',
  'alter table tax_ids add column mark bytea',
  // Two people of one order who may be the same person, and the case in which the town looks at it.
  `create table same_people (
    one uuid not null references users,
    other uuid not null references users,
    case_id uuid not null references cases,
    marks text[] not null,
    found_at timestamptz not null,
    primary key (one, other, case_id),
    check (one < other)
  )`,
  'create index same_people_of_case on same_people (case_id)',
  // A hold of one pay: its credit waits, and other credits of the same order do not. The domain lists the reasons.
  `alter table payout_holds
    add column pay_entry bigint references ledger_entries,
    drop constraint payout_holds_once,
    add constraint payout_holds_once unique nulls not distinct (order_id, account, user_id, reason, case_id, pay_entry),
    drop constraint payout_holds_reason_check`,
  'create index payout_holds_of_pay on payout_holds (pay_entry) where pay_entry is not null',
  'create index payout_holds_of_case on payout_holds (case_id) where case_id is not null and ended_at is null',
  // From when an arrival counts that was said earlier than its Duber can have been there; and of a failure, whether more than
  // their word says that they were.
  'alter table delivery_steps add column counts_from timestamptz, add column is_proven boolean',
];

/** Made after the migrations: see largeIndexes.sql.ts. Few refunds are under way, and most pays are borne by their order. */
export const PAYER_INDEXES: readonly LargeIndex[] = [
  {
    name: 'refunds_under_way',
    create: `create index concurrently refunds_under_way on refunds (liable_user)
      where liable_user is not null and state in ('asking', 'pending', 'stuck')`,
  },
  {
    name: 'pays_beyond_order',
    create: 'create index concurrently pays_beyond_order on pays (duber_id, at) where cents > from_order',
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
