import { type Kysely, sql } from 'kysely';

// Constant defaults change the catalog only, and suit all earlier rows.
const COLUMNS = [
  // The photos that a step of a delivery was sent with.
  `alter table delivery_steps add column file_ids uuid[] not null default '{}'`,
  // What of a refund the platform bears although somebody else was liable, without taxes.
  `alter table refunds add column forgiven integer not null default 0,
    add constraint refunds_forgiven check (forgiven between 0 and amount - taxes) not valid`,
  // The same with taxes, as it was decided.
  'alter table case_refunds add column forgiven integer not null default 0 check (forgiven >= 0)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of COLUMNS) await sql.raw(statement).execute(db);
}
