import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // How exact the phone says that its place is, as a radius in meters. Null where it does not say it.
  await sql`alter table delivery_positions add column accuracy double precision check (accuracy >= 0)`.execute(db);
}
