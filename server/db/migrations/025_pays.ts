import { type Kysely, sql } from 'kysely';

// Every statement changes the catalog only, or creates an empty table. `not valid` skips the scan of a large table, and the
// rows that are there satisfy the wider checks anyway.
const PAYS = [
  `alter table pays
    -- The part that the order pays: the Bud's fee for this way, as far as it was still there.
    add column from_order integer not null,
    -- The Scrub who pays the rest; null when the platform does.
    add column bearer_id uuid references users,
    add constraint pays_from_order check (from_order between 0 and cents)`,
  `alter table ledger_entries
    drop constraint ledger_entries_tell,
    add constraint ledger_entries_tell check (case
      when kind in ('captured', 'completed', 'adjusted', 'held')
        then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
      when kind in ('delivered', 'trip', 'returned', 'relayed', 'corrected')
        then order_id is not null and delivery_id is not null and num_nonnulls(refund_id, payout_id) = 0
      when kind = 'refunded' then order_id is not null and refund_id is not null and num_nonnulls(delivery_id, payout_id) = 0
      when kind = 'paid-out' then payout_id is not null and num_nonnulls(order_id, delivery_id, refund_id) = 0
      else false end) not valid`,
  // Nobody bears a refund of what nobody will earn.
  `alter table refunds
    drop constraint refunds_liable_check,
    drop constraint refunds_liable,
    add constraint refunds_liable_check check (liable in ('platform', 'scrub', 'duber', 'nobody')) not valid,
    add constraint refunds_liable check ((liable_user is null) = (liable in ('platform', 'nobody'))) not valid`,
  // The order ended before its card was charged: what nobody will earn goes back when it is.
  'alter table payments add column settle_when_captured boolean not null default false',
];

const HOLDS = [
  // Credits that are no part of a payout yet.
  `create table payout_holds (
    id bigint generated always as identity primary key,
    order_id uuid not null references orders,
    account text not null check (account in ('scrub', 'duber')),
    user_id uuid not null references users,
    reason text not null check (reason in ('laundry-not-seen', 'case', 'lost')),
    case_id uuid,
    -- What is held at most; null for all that the order credits to this person.
    cents integer check (cents > 0),
    -- The entry whose credit is the held part; null when the whole credit is held, or there was none.
    entry_id bigint references ledger_entries,
    since timestamptz not null,
    -- When it ends by itself.
    until timestamptz,
    ended_at timestamptz,
    constraint payout_holds_once unique nulls not distinct (order_id, account, user_id, reason, case_id)
  )`,
  'create index payout_holds_of_user on payout_holds (user_id) where ended_at is null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...PAYS, ...HOLDS]) await sql.raw(statement).execute(db);
}
