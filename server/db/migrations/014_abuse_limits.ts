import { type Kysely, sql } from 'kysely';

// Changes the catalog only: a constant default needs no rewrite of the table.
const ABUSE_LIMITS = `alter table push_subscriptions
  -- How often in a row the push service did not answer, and since when.
  add column unanswered integer not null default 0,
  add column unanswered_since timestamptz`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(ABUSE_LIMITS).execute(db);
}
