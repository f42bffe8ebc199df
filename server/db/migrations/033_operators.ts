import { type Kysely, sql } from 'kysely';
import type { LargeIndex } from '../largeIndexes.sql.ts';
import { lockTablesSql } from '../lockTables.sql.ts';

// Operators are accounts of their own: no query about people can find one, and nobody signs up as one. Statements one by one,
// because the body of the function holds semicolons.
const ACCOUNTS = [
  `create table operators (
    id uuid primary key,
    fullname text not null,
    email text not null,
    email_key text not null unique,
    password_hash text not null,
    -- Signs in without a second factor, and only while the demo is on.
    is_demo boolean not null default false,
    created_at timestamptz not null,
    -- An operator who has left. What they did stays under their name.
    ended_at timestamptz
  )`,
  `create table operator_caps (
    operator_id uuid not null references operators,
    cap text not null check (cap in ('see', 'help', 'dispatch', 'money', 'prices', 'messages', 'admin')),
    given_at timestamptz not null,
    primary key (operator_id, cap)
  )`,
  `create table second_factors (
    operator_id uuid primary key references operators,
    -- The secret of the authenticator app, encrypted with the installation's key.
    sealed_secret bytea not null,
    -- The time step of the last code: each code is used once.
    last_step integer not null default 0,
    added_at timestamptz not null
  )`,
  `create table operator_sessions (
    token_hash bytea primary key,
    operator_id uuid not null references operators,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    -- When a code of the second factor was entered last.
    code_at timestamptz not null,
    network text not null,
    browser text not null,
    -- The row stays for a while, so that its browser is known.
    ended_at timestamptz
  )`,
  'create index operator_sessions_of_operator on operator_sessions (operator_id)',
  `create table operator_invitations (
    token_hash bytea primary key,
    -- Null: for anyone who has the link. The first operator of an installation has such a link.
    email text,
    caps text[] not null,
    -- Set for an operator who exists, and gets a new password and a new second factor.
    operator_id uuid references operators,
    -- Who asked for it. It ends when they leave.
    invited_by uuid references operators,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
];

const AUDIT = [
  `create table audit (
    -- 1, 2, 3 ...: no number is missing.
    id bigint primary key,
    at timestamptz not null,
    operator_id uuid references operators,
    operator_name text not null,
    action text not null,
    subject_kind text not null,
    subject_id text,
    reason text not null,
    cents integer,
    -- Texts, so that their hash stays the same.
    details text not null,
    request_id text,
    approved_by uuid references operators,
    approved_by_name text,
    approval_id uuid,
    -- Of the person's Idempotency-Key: what is sent again is not done again.
    request_key bytea,
    -- Over this row and the hash of the row before it.
    hash bytea not null
  )`,
  'create index audit_of_subject on audit (subject_id, id) where subject_id is not null',
  'create index audit_of_operator on audit (operator_id, id)',
  // What an operator has given back without a second yes today.
  `create index audit_of_money on audit (operator_id, at)
    where cents is not null and approved_by_name is null`,
  'create index audit_of_action on audit (action, id)',
  'create unique index audit_once on audit (request_key) where request_key is not null',
  `create table audit_head (
    one_row boolean primary key default true check (one_row),
    id bigint not null,
    hash bytea not null
  )`,
  `insert into audit_head (id, hash) values (0, '')`,
  `create function audit_keep() returns trigger language plpgsql as $$
  begin
    raise exception 'the rows of the audit are never changed' using errcode = '23514';
  end $$`,
  `create trigger audit_keep before update or delete or truncate on audit
    for each statement execute function audit_keep()`,
  // A restored audit brings its own end along.
  `create function audit_head_keep() returns trigger language plpgsql as $$
  begin
    if coalesce(current_setting('rubadub.is_restoring', true), '') = 'on' then return null; end if;
    raise exception 'the end of the audit is never removed' using errcode = '23514';
  end $$`,
  `create trigger audit_head_keep before delete or truncate on audit_head
    for each statement execute function audit_head_keep()`,
];

const APPROVALS = [
  `create table approvals (
    id uuid primary key,
    action text not null,
    subject_kind text not null,
    subject_id text,
    params jsonb not null,
    body jsonb not null,
    cents integer,
    reason text not null,
    asked_by uuid not null references operators,
    asked_at timestamptz not null,
    status text not null check (status in ('waiting', 'approved', 'declined', 'withdrawn', 'expired')),
    decided_by uuid references operators,
    decided_at timestamptz,
    words text,
    -- Of the link that stops it, in a town with one operator.
    stop_hash bytea,
    -- The mail with that link. Nothing happens by itself before it was sent.
    stop_mail uuid,
    -- Of the body without the reason: two requests about the whole town differ by it.
    body_hash bytea not null,
    constraint approvals_two_people check (status <> 'approved' or decided_by <> asked_by
      or (decided_by is null and stop_hash is not null)),
    constraint approvals_decided check ((status = 'waiting') = (decided_at is null))
  )`,
  `create unique index approvals_one_waiting on approvals (action, subject_kind, coalesce(subject_id, encode(body_hash, 'hex')))
    where status = 'waiting'`,
  'create index approvals_by_time on approvals (asked_at)',
  `create index approvals_stopped_by on approvals (stop_hash) where status = 'waiting'`,
  'alter table timers drop constraint timers_subject_kind_check',
  `alter table timers add constraint timers_subject_kind_check
    check (subject_kind in ('order', 'delivery', 'case', 'approval', 'suspension')) not valid`,
];

const TOWN = [
  `create table settings (
    id bigint generated always as identity primary key,
    name text not null,
    value jsonb not null,
    valid_from timestamptz not null,
    set_by text not null
  )`,
  'create index settings_newest on settings (name, valid_from desc, id desc)',
  `create table broadcasts (
    id uuid primary key,
    to_role text not null check (to_role in ('Bud', 'Scrub', 'Duber', 'everyone')),
    title text not null,
    words text not null,
    is_urgent boolean not null,
    sent_by uuid not null references operators,
    at timestamptz not null,
    -- How many it is for. Who signs up later does not get it.
    people integer not null,
    -- The last person that the messages are written for, in the order of their ids, and how many were before.
    last_user uuid,
    written integer not null default 0,
    -- When the messages to all of them were written.
    written_at timestamptz
  )`,
  'create index broadcasts_by_time on broadcasts (at)',
  'create index broadcasts_waiting on broadcasts (at) where written_at is null',
];

/** Made after the migrations: see largeIndexes.sql.ts. */
export const INBOX_INDEXES: readonly LargeIndex[] = [
  {
    name: 'cases_by_status',
    create: 'create index concurrently cases_by_status on cases (status, created_at)',
  },
  {
    name: 'users_by_role',
    create: 'create index concurrently users_by_role on users (role, id)',
  },
];

/** Made after the migrations: see largeIndexes.sql.ts. */
export const MONEY_INDEXES: readonly LargeIndex[] = [
  {
    // Lines are only ever added, nearly in the order of their time.
    name: 'ledger_lines_by_time',
    create: 'create index concurrently ledger_lines_by_time on ledger_lines using brin (at) with (autosummarize = on)',
  },
  {
    name: 'payouts_by_period',
    create: 'create index concurrently payouts_by_period on payouts (period_end desc, id desc)',
  },
];

const largeIndex = (name: string, on: string): LargeIndex => ({
  name,
  create: `create index concurrently ${name} on ${on}`,
});

/** Made after the migrations, see largeIndexes.sql.ts: what the console searches and lists in tables that are large. */
export const CONSOLE_INDEXES: readonly LargeIndex[] = [
  largeIndex('orders_by_time', 'orders (created_at desc, number desc)'),
  largeIndex('orders_by_status', 'orders (status, created_at desc, number desc)'),
  largeIndex('orders_completed', 'orders (completed_at) where completed_at is not null'),
  largeIndex('orders_by_id_end', 'orders (right(id::text, 8))'),
  largeIndex('deliveries_stopped', "deliveries (created_at) where status in ('Failed', 'Returned')"),
  largeIndex('deliveries_by_id_end', 'deliveries (right(id::text, 8))'),
  largeIndex('payments_by_card', 'payments (card_last4, created_at desc) where card_last4 is not null'),
  largeIndex('refunds_stuck', "refunds (updated_at) where state = 'stuck'"),
  largeIndex('users_by_id_end', 'users (right(id::text, 8))'),
  largeIndex('users_by_email', 'users (email_key text_pattern_ops)'),
  largeIndex('users_by_phone', 'users (reverse(phone) text_pattern_ops) where phone is not null'),
  // Without a list of what is pending, which every search would read besides.
  largeIndex('users_by_name', "users using gin (to_tsvector('simple', fullname)) with (fastupdate = off)"),
  largeIndex('addresses_by_words', "addresses using gin (to_tsvector('simple', address)) with (fastupdate = off)"),
];

// What this and the next migrations of its release change.
const TABLES = [
  'orders',
  'deliveries',
  'users',
  'timers',
  'payments',
  'ledger_entries',
  'ledger_lines',
  'payout_holds',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(lockTablesSql(TABLES)).execute(db);
  for (const statement of [...ACCOUNTS, ...AUDIT, ...APPROVALS, ...TOWN]) await sql.raw(statement).execute(db);
}
