import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

/** How many pages a table occupies on disk. */
export async function countPages(tx: Tx, table: keyof Schema): Promise<number> {
  const size = await sql<{ pages: number }>`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as pages`.execute(tx);
  return size.rows[0]?.pages ?? 0;
}

type ExpiredRows = { readonly table: keyof Schema; readonly column: string; readonly before: Date };

/**
 * Deletes the expired rows in a range of a table's pages. An index on the time column would be faster here, but would slow
 * down every use of a session or a limit. Raw SQL, because the builder has no `ctid`.
 */
export async function deleteExpiredRows(
  tx: Tx,
  { table, column, before }: ExpiredRows,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await sql`delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)}
    where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${to},0)`}::tid and ${sql.ref(column)} < ${before}
    for update skip locked))`.execute(tx);
}
