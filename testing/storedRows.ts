import { sql } from 'kysely';
import { listBackupTables } from '../server/db/backup/tables.sql.ts';
import { queryRow, queryRows, type Tx } from '../server/db/database.ts';

/** Which values the tables of a backup have: what has no rows, and which optional columns were not seen null or not seen set. */
export async function findUnseen(tx: Tx): Promise<string[]> {
  const unseen: string[] = [];
  for (const { name, columns, leftOut } of await listBackupTables(tx)) {
    if (leftOut?.rows === 'all') continue;
    const optional = columns.filter(({ isRequired }) => !isRequired);
    const counts = optional.flatMap(({ name: column }) => [
      sql`count(*) filter (where ${sql.ref(column)} is null)::int as ${sql.ref(`${column} null`)}`,
      sql`count(${sql.ref(column)})::int as ${sql.ref(`${column} set`)}`,
    ]);
    const row = await queryRow<Record<string, number>>(
      tx,
      sql`select ${sql.join([sql`count(*)::int as rows`, ...counts])} from ${sql.table(name)}`,
    );
    if (row?.rows === 0) unseen.push(name);
    else for (const [what, count] of Object.entries(row ?? {})) if (count === 0) unseen.push(`${name}.${what}`);
  }
  return unseen;
}

/** The rows of each table of a backup as the text of a row, which a backup does not use. */
export async function readStoredRows(tx: Tx): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, columns, leftOut } of await listBackupTables(tx)) {
    if (leftOut?.rows === 'all') continue;
    const values = sql.join(columns.map((column) => sql.ref(column.name)));
    const where = leftOut ? sql`where not (${leftOut.rows})` : sql``;
    const rows = await queryRows<{ line: string }>(
      tx,
      sql`select row(${values})::text as line from ${sql.table(name)} ${where}`,
    );
    found[name] = rows.map(({ line }) => line).sort();
  }
  return found;
}
