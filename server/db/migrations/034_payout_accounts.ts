import { type Kysely, sql } from 'kysely';

const ACCOUNTS = `create table payout_accounts (
    user_id uuid primary key references users,
    method text not null check (method in ('us-bank', 'iban')),
    -- The whole account, encrypted with the installation's key.
    sealed bytea not null,
    last4 text not null,
    -- Payouts wait for a while after it.
    changed_at timestamptz not null
  )`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(ACCOUNTS).execute(db);
}
