import { type Kysely, sql } from 'kysely';

const LIMITS = `
-- How often a network did something in the window under way; every server counts here.
create table rate_limits (
  kind text not null,
  network text not null,
  ends_at timestamptz not null,
  count integer not null,
  primary key (kind, network)
);

-- A link for a new password was asked for. Written alike for every address, so that nobody learns who has an account.
create table reset_requests (
  id uuid primary key,
  email_key text not null,
  asked_at timestamptz not null
);
create index reset_requests_in_order on reset_requests (asked_at, id);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of LIMITS.split(/;\s*\n/)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
