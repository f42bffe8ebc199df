import { type Kysely, sql } from 'kysely';

// The tax number of a worker. A new one replaces it, so nothing is left of an earlier one.
const TAX_IDS = `create table tax_ids (
    user_id uuid primary key references users,
    kind text not null check (kind in ('ssn', 'ein', 'itin', 'tin')),
    country text not null check (country ~ '^[A-Z]{2}$'),
    -- All of it, with the name on the tax return, encrypted with the installation's key.
    sealed bytea not null,
    last4 text not null,
    changed_at timestamptz not null,
    constraint tax_ids_american check ((kind = 'tin') = (country <> 'US'))
  )`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TAX_IDS).execute(db);
}
