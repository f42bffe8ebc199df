import { createHash } from 'node:crypto';
import { type Tx, transact } from '../database.ts';
import { ensureSchema, SCHEMA_NUMBER } from '../ensureSchema.ts';
import {
  advanceSequences,
  type BackupTable,
  emptyTable,
  isEmptyTable,
  listBackupTables,
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
 * Restores the lines of a backup in one transaction, into a database without accounts. An empty database gets its tables first. Keys,
 * checks and the rules of the ledger apply to the rows as usual.
 */
export async function restoreBackup(db: Tx, lines: AsyncIterable<string>): Promise<Restored> {
  try {
    const reader = createLineReader(lines);
    const manifest = await readManifest(reader);
    await ensureSchema(db);
    return await transact(db, (tx) => restoreTables(tx, reader, manifest));
  } catch (error) {
    throw toRestoreError(error);
  }
}

async function restoreTables(tx: Tx, reader: LineReader, manifest: Manifest): Promise<Restored> {
  await setTextFormats(tx);
  const tables = await listBackupTables(tx);
  if (String(manifest.tables) !== String(tables.map(({ name }) => name)))
    throw new RestoreError('the backup does not have the tables of its schema: the file was changed or damaged');
  await emptyDatabase(tx, tables);
  const rows: Record<string, number> = {};
  const leftOut: Record<string, number> = {};
  await withDeferredReferences(tx, async () => {
    for (const table of tables) {
      const { written, skipped } = await restoreTable(tx, table, reader);
      rows[table.name] = written;
      const what = table.leftOut?.what;
      if (what) leftOut[what] = (leftOut[what] ?? 0) + skipped + (manifest.leftOut[table.name] ?? 0);
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

/** Of a backup that an earlier build made: without `schema` when that build had migrations. */
type AnyManifest = Partial<Manifest> & { readonly migrations?: readonly string[] };

async function readManifest(reader: LineReader): Promise<Manifest> {
  if ((await reader.line()) !== BACKUP_HEADER) throw new RestoreError('this file is not a backup of Rubadub');
  const text = /^#manifest (.*)$/.exec(await reader.line())?.[1];
  const manifest = JSON.parse(text ?? '{}') as AnyManifest;
  const schema = manifest.schema ?? manifest.migrations?.at(-1);
  if (schema === undefined || !Array.isArray(manifest.tables)) throw reader.error('is not a manifest');
  if (schema !== SCHEMA_NUMBER)
    throw new RestoreError(
      `the backup has schema ${schema}, and this build works with schema ${SCHEMA_NUMBER}: convert it first (npm run convert-backup), or restore it with the build that made it`,
    );
  return { leftOut: {}, ...manifest } as Manifest;
}

async function restoreTable(tx: Tx, table: BackupTable, reader: LineReader) {
  if ((await reader.line()) !== `#table ${table.name}`) throw reader.error(`does not start the table ${table.name}`);
  let count = 0;
  let written = 0;
  let size = 0;
  let batch: string[] = [];
  const flush = async () => {
    if (batch.length > 0) written += await writeRows(tx, table, batch);
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
