import { createHash } from 'node:crypto';
import { type Tx, transact } from '../database.ts';
import { isMigration, migrate } from '../migrate.ts';
import {
  advanceSequences,
  type BackupTable,
  emptyTable,
  isEmptyTable,
  listBackupTables,
  listMigrations,
  type RowFormat,
  setTextFormats,
  withDeferredReferences,
  writeRows,
} from './tables.sql.ts';
import { BACKUP_HEADER, type Manifest, type RowCounts } from './write.ts';

/** A backup cannot be restored. The message is for the operator. */
export class RestoreError extends Error {
  override name = 'RestoreError';
}

export type Restored = {
  /** How many rows of each table were restored. */
  readonly rows: RowCounts;
  /** How many of each kind of row were left out, such as sessions: of the database when the backup was made. */
  readonly leftOut: RowCounts;
};

const ROWS_PER_INSERT = 500;
const CHARACTERS_PER_INSERT = 4_000_000;

/** An error that the content of a backup causes, as a RestoreError. Anything else stays as it is. */
function toRestoreError(error: unknown): unknown {
  const { code = '', message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  // Class 22: text that is no number, date or id. Class 23: a key or a check. Class 42: a property without a column.
  const isContent = error instanceof SyntaxError || /^(?:22|23|42)/.test(String(code));
  if (!isContent) return error;
  const [reason] = message.split('\n');
  return new RestoreError(`a row cannot be stored (${reason}): the file was changed or damaged`);
}

/**
 * Restores the lines of a backup in one transaction, into a database without accounts. A new database, or one that is behind, is
 * first migrated as far as the backup is. Keys, checks and the rules of the ledger apply to the rows as usual.
 */
export async function restoreBackup(db: Tx, lines: AsyncIterable<string>): Promise<Restored> {
  try {
    const reader = createLineReader(lines);
    const { format, manifest } = await readManifest(reader);
    await migrateAsFarAs(db, manifest);
    return await transact(db, (tx) => restoreTables(tx, reader, { format, manifest }));
  } catch (error) {
    throw toRestoreError(error);
  }
}

type Start = { readonly format: RowFormat; readonly manifest: Manifest };

async function migrateAsFarAs(db: Tx, { migrations }: Manifest): Promise<void> {
  const done = await listMigrations(db);
  const newest = migrations.at(-1);
  const isBehind = done.length < migrations.length && done.every((name, at) => name === migrations[at]);
  if (newest !== undefined && isBehind && isMigration(newest)) await migrate(db, { upTo: newest });
}

async function restoreTables(tx: Tx, reader: LineReader, { format, manifest }: Start): Promise<Restored> {
  await setTextFormats(tx);
  const tables = await listBackupTables(tx);
  refuseOtherSchema(manifest, await listMigrations(tx), tables);
  await emptyDatabase(tx, tables);
  const rows: Record<string, number> = {};
  const leftOut: Record<string, number> = {};
  await withDeferredReferences(tx, async () => {
    for (const table of tables) {
      const { written, skipped } = await restoreTable(tx, { table, format }, reader);
      rows[table.name] = written;
      const what = table.leftOut?.what;
      if (what) leftOut[what] = (leftOut[what] ?? 0) + skipped + (manifest.leftOut?.[table.name] ?? 0);
    }
    await reader.expectEnd();
  });
  await advanceSequences(tx, tables);
  return { rows, leftOut };
}

async function emptyDatabase(tx: Tx, tables: readonly BackupTable[]): Promise<void> {
  if (!(await isEmptyTable(tx, 'users'))) {
    throw new RestoreError('people have accounts in this database: a backup can only be restored into an empty one');
  }
  // Nobody changes or removes a row of the audit, so there is no way to put another one in its place.
  if (tables.some(({ name }) => name === 'audit') && !(await isEmptyTable(tx, 'audit'))) {
    throw new RestoreError('operators have acted in this database: a backup can only be restored into an empty one');
  }
  // The first start writes prices and keys. The ledger's tables refuse every delete, so empty tables are skipped.
  for (const { name } of tables.toReversed()) if (!(await isEmptyTable(tx, name))) await emptyTable(tx, name);
}

type LineReader = ReturnType<typeof createLineReader>;

function createLineReader(lines: AsyncIterable<string>) {
  const iterator = lines[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let number = 0;
  const next = async () => {
    const { value, done } = await iterator.next();
    number += 1;
    if (done) throw new RestoreError(`the file ends at line ${number}: it was cut short`);
    return value;
  };
  return {
    async line(): Promise<string> {
      const line = await next();
      hash.update(`${line}\n`);
      return line;
    },
    async expectEnd(): Promise<void> {
      const [label, checksum] = (await next()).split(' ');
      if (label !== '#sha256' || checksum !== hash.digest('hex')) {
        throw new RestoreError('the checksum at the end does not match: the file was changed or damaged');
      }
    },
    error: (problem: string) => new RestoreError(`line ${number} ${problem}: the file was changed or damaged`),
  };
}

async function readManifest(reader: LineReader): Promise<Start> {
  const format = toFormat(await reader.line());
  if (format === undefined) throw new RestoreError('this file is not a backup of Rubadub');
  const text = /^#manifest (.*)$/.exec(await reader.line())?.[1];
  const manifest = JSON.parse(text ?? '{}') as Partial<Manifest>;
  const isComplete = Array.isArray(manifest.migrations) && Array.isArray(manifest.tables);
  if (!isComplete) throw reader.error('is not a manifest');
  return { format, manifest: manifest as Manifest };
}

const toFormat = (line: string) =>
  (['1', '2'] as const).find((format: RowFormat) => line === `${BACKUP_HEADER}${format}`);

function refuseOtherSchema(manifest: Manifest, migrations: readonly string[], tables: readonly BackupTable[]): void {
  const names = tables.map(({ name }) => name);
  if (String(manifest.migrations) === String(migrations) && String(manifest.tables) === String(names)) return;
  const newest = (all: readonly string[]) => all.at(-1) ?? 'none';
  throw new RestoreError(
    `the backup is at ${newest(manifest.migrations)}, this database is at ${newest(migrations)}: restore it into a new database, or with the release that made it`,
  );
}

async function restoreTable(
  tx: Tx,
  { table, format }: { readonly table: BackupTable; readonly format: RowFormat },
  reader: LineReader,
) {
  if ((await reader.line()) !== `#table ${table.name}`) throw reader.error(`does not start the table ${table.name}`);
  let count = 0;
  let written = 0;
  let size = 0;
  let batch: string[] = [];
  const flush = async () => {
    if (batch.length > 0) written += await writeRows(tx, table, { lines: batch, format });
    count += batch.length;
    [batch, size] = [[], 0];
  };
  for (;;) {
    const line = await reader.line();
    if (line.startsWith('#')) {
      await flush();
      if (line !== `#rows ${count}`) throw reader.error(`does not have the number of rows of ${table.name}, ${count}`);
      return { written, skipped: count - written };
    }
    batch.push(line);
    size += line.length;
    if (batch.length >= ROWS_PER_INSERT || size >= CHARACTERS_PER_INSERT) await flush();
  }
}
