import { type Kysely, sql } from 'kysely';

// Which photos a step of a delivery was sent with. A constant default changes the catalog only; earlier steps have none.
const STEP_FILES = [`alter table delivery_steps add column file_ids uuid[] not null default '{}'`];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STEP_FILES) await sql.raw(statement).execute(db);
}
