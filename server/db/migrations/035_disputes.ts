import { type Kysely, sql } from 'kysely';

// Card fees and chargebacks. Every statement changes the catalog only, or creates an empty table: `not valid` skips the scan,
// and the rows that are there satisfy the wider checks anyway.
const LEDGER = [
  `alter table ledger_entries
    drop constraint ledger_entries_tell,
    add constraint ledger_entries_tell check (case
      when kind in ('captured', 'completed', 'adjusted', 'held', 'card-fee', 'disputed', 'dispute-won', 'dispute-lost')
        then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
      when kind in ('delivered', 'trip', 'returned', 'relayed', 'corrected')
        then order_id is not null and delivery_id is not null and num_nonnulls(refund_id, payout_id) = 0
      when kind = 'refunded' then order_id is not null and refund_id is not null and num_nonnulls(delivery_id, payout_id) = 0
      when kind = 'paid-out' then payout_id is not null and num_nonnulls(order_id, delivery_id, refund_id) = 0
      else false end) not valid`,
  `alter table ledger_lines
    drop constraint ledger_lines_account_check,
    add constraint ledger_lines_account_check check (account in ('card-clearing', 'unearned', 'scrub', 'duber',
      'platform-revenue', 'taxes-payable', 'refund-costs', 'payouts', 'card-fees', 'disputes')) not valid`,
  `alter table payments
    -- The fee in cents that the card network has told, as it is in the ledger. Null until then.
    add column card_fee integer,
    -- How often it was asked for the fee and had none yet.
    add column fee_tries integer not null default 0`,
];

const DISPUTES = [
  // A payment that a cardholder contests at their bank.
  `create table disputes (
    id uuid primary key,
    square_id text not null unique,
    order_id uuid not null references orders,
    cents integer not null check (cents > 0),
    -- In the words of the card network, as is its state.
    reason text not null,
    network_state text not null,
    status text not null check (status in ('open', 'prepared', 'sent', 'won', 'lost')),
    -- When the bank wants an answer.
    due_at timestamptz,
    seen_at timestamptz not null,
    -- What is sent to the bank, in pieces as the card network takes them.
    evidence text[],
    prepared_at timestamptz,
    prepared_by text,
    -- What an operator has decided and the card network does not know yet.
    call text check (call in ('send', 'accept')),
    call_due_at timestamptz,
    tries integer not null default 0,
    -- Why the card network did not take it.
    failure text,
    -- Who bears it when it is accepted: null for the platform.
    liable_account text check (liable_account in ('scrub', 'duber')),
    liable_user uuid references users,
    sent_at timestamptz,
    ended_at timestamptz,
    -- Its entries in the ledger. Without the first one no money was taken.
    debit_entry bigint references ledger_entries,
    end_entry bigint references ledger_entries,
    constraint disputes_call check ((call is null) = (call_due_at is null)),
    constraint disputes_end check ((status in ('won', 'lost')) = (ended_at is not null)),
    constraint disputes_liable check ((liable_account is null) = (liable_user is null))
  )`,
  'create index disputes_of_order on disputes (order_id)',
  'create index disputes_open on disputes (due_at, id) where ended_at is null',
  'create index disputes_ended on disputes (ended_at desc, id) where ended_at is not null',
  'create index disputes_to_call on disputes (call_due_at) where call is not null',
  // When the card network is asked for its chargebacks next.
  `create table dispute_polls (
    one_row boolean primary key default true check (one_row),
    due_at timestamptz not null
  )`,
  `insert into dispute_polls (due_at) values ('2000-01-01')`,
  `alter table payout_holds
    drop constraint payout_holds_reason_check,
    add constraint payout_holds_reason_check check (reason in ('laundry-not-seen', 'case', 'lost', 'chargeback')) not valid`,
  'alter table timers drop constraint timers_subject_kind_check',
  `alter table timers add constraint timers_subject_kind_check
    check (subject_kind in ('order', 'delivery', 'case', 'approval', 'suspension', 'dispute')) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...LEDGER, ...DISPUTES]) await sql.raw(statement).execute(db);
}
