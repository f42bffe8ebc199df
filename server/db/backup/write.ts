import { createHash } from 'node:crypto';
import type { Tx } from '../database.ts';
import { SCHEMA_NUMBER } from '../ensureSchema.ts';
import { countLeftOut, listBackupTables, readTable, setTextFormats } from './tables.sql.ts';

/** The first line of a backup: the format of the file. */
export const BACKUP_HEADER = '#rubadub-backup 2';

export type RowCounts = Readonly<Record<string, number>>;

/** The second line of a backup. */
export type Manifest = {
  readonly made: string;
  /** The number of the schema of the database. A backup is restored into the same schema. */
  readonly schema: number;
  readonly tables: readonly string[];
  /** How many rows of a table are not in the file, such as sessions. */
  readonly leftOut: RowCounts;
};

/**
 * The lines of a backup, from one snapshot of the database. Values are texts of PostgreSQL that are never parsed here,
 * so no number is rounded. `onTable` is called with the number of rows of each table.
 */
export async function* writeBackup(
  db: Tx,
  now: Date,
  onTable: (name: string, rows: number) => void = () => undefined,
): AsyncGenerator<string> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  const hash = createHash('sha256');
  const hashed = (line: string) => {
    hash.update(`${line}\n`);
    return `${line}\n`;
  };
  try {
    await setTextFormats(tx);
    const tables = await listBackupTables(tx);
    const names = tables.map(({ name }) => name);
    const leftOut: Record<string, number> = {};
    for (const table of tables) if (table.leftOut) leftOut[table.name] = await countLeftOut(tx, table);
    const manifest: Manifest = { made: now.toISOString(), schema: SCHEMA_NUMBER, tables: names, leftOut };
    yield hashed(BACKUP_HEADER);
    yield hashed(`#manifest ${JSON.stringify(manifest)}`);
    for (const table of tables) {
      yield hashed(`#table ${table.name}`);
      let count = 0;
      for await (const line of readTable(tx, table)) {
        count += 1;
        yield hashed(line);
      }
      yield hashed(`#rows ${count}`);
      onTable(table.name, count);
    }
    yield `#sha256 ${hash.digest('hex')}\n`;
  } finally {
    await tx.rollback().execute();
  }
}
