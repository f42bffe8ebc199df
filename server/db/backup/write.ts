import { createHash } from 'node:crypto';
import type { Tx } from '../database.ts';
import { listBackupTables, listMigrations, readTable, setTextFormats } from './tables.sql.ts';

export const BACKUP_HEADER = '#rubadub-backup 1';

export type RowCounts = Readonly<Record<string, number>>;

/** What a backup says of itself at its beginning. */
export type Manifest = {
  readonly made: string;
  /** Those that the database had had: only one with the same can take the rows. */
  readonly migrations: readonly string[];
  readonly tables: readonly string[];
};

/**
 * Everything that has to be kept, line by line, as it was at one moment. Rows are the JSON texts of PostgreSQL, which are
 * passed on and never read: no number is rounded on its way. `onTable` is told how many rows a table had.
 */
export async function* writeBackup(
  db: Tx,
  now: Date,
  onTable: (name: string, rows: number) => void = () => undefined,
): AsyncGenerator<string> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  const hash = createHash('sha256');
  const sealed = (line: string) => {
    hash.update(`${line}\n`);
    return `${line}\n`;
  };
  try {
    await setTextFormats(tx);
    const tables = await listBackupTables(tx);
    const names = tables.map(({ name }) => name);
    const manifest: Manifest = { made: now.toISOString(), migrations: await listMigrations(tx), tables: names };
    yield sealed(BACKUP_HEADER);
    yield sealed(`#manifest ${JSON.stringify(manifest)}`);
    for (const table of tables) {
      yield sealed(`#table ${table.name}`);
      let count = 0;
      for await (const line of readTable(tx, table)) {
        count += 1;
        yield sealed(line);
      }
      yield sealed(`#rows ${count}`);
      onTable(table.name, count);
    }
    yield `#sha256 ${hash.digest('hex')}\n`;
  } finally {
    await tx.rollback().execute();
  }
}
