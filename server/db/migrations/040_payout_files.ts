import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

const STATEMENTS = [
  // The files that banks read, as they were when they were first made: the same batch makes the same file.
  `create table payout_files (
    batch text not null,
    format text not null check (format in ('nacha', 'iso-20022')),
    -- The day of the town on which it was made, and which one it was of its format.
    day text not null,
    number integer not null check (number > 0),
    made_at timestamptz not null,
    -- What is in it, encrypted: it has the bank accounts of people.
    sealed bytea not null,
    primary key (batch, format),
    constraint payout_files_once_a_day unique (format, day, number)
  )`,
  // Acts of the release before use both.
  lockTablesSql(['audit', 'approvals']),
  // What the second operator sees besides what was asked for.
  'alter table approvals add column about jsonb',
  // Over what was sent with the Idempotency-Key. Null in rows of before.
  'alter table audit add column request_hash bytea',
  // Two payouts of one person can wait at the same time. The new index is there before the old one leaves, and takes its name.
  `create unique index approvals_one_waiting_of on approvals
    (action, subject_kind, coalesce(subject_id, encode(body_hash, 'hex')), params) where status = 'waiting'`,
  'drop index approvals_one_waiting',
  'alter index approvals_one_waiting_of rename to approvals_one_waiting',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
