import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

/** How many pages a table occupies on disk. */
export async function countPages(tx: Tx, table: keyof Schema): Promise<number> {
  const size = await sql<{ pages: number }>`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as pages`.execute(tx);
  return size.rows[0]?.pages ?? 0;
}

type ExpiredRows = {
  readonly table: keyof Schema;
  readonly column: string;
  /** A day for a column of days, like 2026-11-23. */
  readonly before: Date | string;
};

/**
 * Deletes the expired rows in a range of a table's pages. An index on the time column would be faster here, but would slow
 * down every use of a session or a limit. Raw SQL, because the builder has no `ctid`.
 */
export async function deleteExpiredRows(
  tx: Tx,
  { table, column, before }: ExpiredRows,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const expired = sql`select e.*, e.ctid from ${sql.table(table)} e
    where e.ctid >= ${`(${from},0)`}::tid and e.ctid < ${`(${to},0)`}::tid and ${sql.ref(`e.${column}`)} < ${before}
    for update skip locked`;
  // A booking is counted elsewhere: giving it back deletes it as well.
  await (table === 'bookings'
    ? sql`select give_back_booking(e.order_id) from (${expired}) e`
    : sql`delete from ${sql.table(table)} where ctid = any(array(select ctid from (${expired}) e))`
  ).execute(tx);
}
