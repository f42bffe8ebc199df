import { createHash } from 'node:crypto';
import { type Tx, transact } from '../database.ts';
import {
  advanceSequences,
  type BackupTable,
  emptyTable,
  isEmptyTable,
  listBackupTables,
  listMigrations,
  setTextFormats,
  writeRows,
} from './tables.sql.ts';
import { BACKUP_HEADER, type Manifest, type RowCounts } from './write.ts';

/** Why a backup cannot be restored, in a line for the person who tries to. */
export class RestoreError extends Error {
  override name = 'NotRestorable';
}

const ROWS_PER_INSERT = 500;
const CHARACTERS_PER_INSERT = 4_000_000;

/**
 * Brings the lines of a backup into a database at the same migrations in which nobody has an account: all of them, or
 * nothing. The rules of the database hold for them as for any rows: its keys, its checks, its ledger.
 */
export function restoreBackup(db: Tx, lines: AsyncIterable<string>): Promise<RowCounts> {
  return transact(db, async (tx) => {
    await setTextFormats(tx);
    const tables = await listBackupTables(tx);
    await emptyDatabase(tx, tables);
    const reader = createLineReader(lines);
    const manifest = await readManifest(reader);
    refuseOtherSchema(manifest, await listMigrations(tx), tables);
    const counts: Record<string, number> = {};
    for (const name of manifest.tables) {
      const table = tables.find((one) => one.name === name);
      if (!table) throw new RestoreError(`this database has no table ${name}`);
      counts[name] = await restoreTable(tx, table, reader);
    }
    await reader.expectEnd();
    await advanceSequences(tx, tables);
    return counts;
  });
}

async function emptyDatabase(tx: Tx, tables: readonly BackupTable[]): Promise<void> {
  if (!(await isEmptyTable(tx, 'users'))) {
    throw new RestoreError('people have accounts in this database already: a backup is restored into an empty one');
  }
  // What a first start writes: prices, keys. The ledger's tables refuse to be emptied even when they are.
  for (const { name } of tables.toReversed()) if (!(await isEmptyTable(tx, name))) await emptyTable(tx, name);
}

type LineReader = ReturnType<typeof createLineReader>;

function createLineReader(lines: AsyncIterable<string>) {
  const left = lines[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let number = 0;
  const next = async () => {
    const { value, done } = await left.next();
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
      const [word, given] = (await next()).split(' ');
      if (word !== '#sha256' || given !== hash.digest('hex')) {
        throw new RestoreError('the checksum at the end is another: the file was changed or damaged');
      }
    },
    fault: (what: string) => new RestoreError(`line ${number} ${what}: the file was changed or damaged`),
  };
}

async function readManifest(reader: LineReader): Promise<Manifest> {
  if ((await reader.line()) !== BACKUP_HEADER) throw new RestoreError('this file is no backup of Rubadub');
  const text = /^#manifest (.*)$/.exec(await reader.line())?.[1];
  if (text === undefined) throw reader.fault('is no manifest');
  return JSON.parse(text) as Manifest;
}

function refuseOtherSchema(manifest: Manifest, migrations: readonly string[], tables: readonly BackupTable[]): void {
  const there = tables.map(({ name }) => name);
  if (String(manifest.migrations) === String(migrations) && String(manifest.tables) === String(there)) return;
  const newest = (names: readonly string[]) => names.at(-1) ?? 'none';
  throw new RestoreError(
    `the backup is of a database at ${newest(manifest.migrations)}, this one is at ${newest(migrations)}: restore it with the release that made it, then upgrade`,
  );
}

async function restoreTable(tx: Tx, table: BackupTable, reader: LineReader): Promise<number> {
  if ((await reader.line()) !== `#table ${table.name}`) throw reader.fault(`does not begin table ${table.name}`);
  let count = 0;
  let size = 0;
  let waiting: string[] = [];
  const flush = async () => {
    if (waiting.length > 0) await writeRows(tx, table, waiting);
    count += waiting.length;
    [waiting, size] = [[], 0];
  };
  for (;;) {
    const line = await reader.line();
    if (line.startsWith('#')) {
      await flush();
      if (line !== `#rows ${count}`)
        throw reader.fault(`says another number of rows than the ${count} of ${table.name}`);
      return count;
    }
    waiting.push(line);
    size += line.length;
    if (waiting.length >= ROWS_PER_INSERT || size >= CHARACTERS_PER_INSERT) await flush();
  }
}
