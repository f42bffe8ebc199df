import { type Kysely, sql } from 'kysely';

// The digest of a step's Idempotency-Key and of who took it. Null without a key, and for the system's own steps.
const STEP_KEYS = [
  'alter table order_steps add column request_key bytea',
  'alter table delivery_steps add column request_key bytea',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STEP_KEYS) await sql.raw(statement).execute(db);
}
