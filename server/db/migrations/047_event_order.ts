import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

const TABLES = ['live_events', 'events'];

const STATEMENTS = [
  lockTablesSql(TABLES),
  // Two steps of one order wait for each other, but the second may have begun first: its transaction has the lower id. So `tx`, by
  // which events are read, is also at least as high as every transaction that had ended when the event was written. An event is
  // still read only when all transactions up to its `tx` have ended, so none can appear later before another one.
  //
  // Volatile plpgsql, because that takes a new snapshot: the one of the statement may be from before a wait for a lock.
  `create function event_order() returns xid8 language plpgsql volatile as $$
  begin
    return greatest(pg_current_xact_id(),
      (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);
  end $$`,
  // Two statements each: a column that is added with a default would have it in earlier rows as well.
  ...TABLES.flatMap((table) => [
    `alter table ${table} add column written_in xid8`,
    `alter table ${table} alter column tx set default event_order(), alter column written_in set default pg_current_xact_id()`,
  ]),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
