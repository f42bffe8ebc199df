import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { takeBackup, withChecksum } from '../../../testing/backupFiles.ts';
import { addMadeUpRows, dropRules, json, VALUES } from '../../../testing/madeUpRows.ts';
import { propertyRuns } from '../../../testing/propertyRuns.ts';
import { findUnseen, readStoredRows } from '../../../testing/storedRows.ts';
import { createTestDatabase } from '../../../testing/testServer.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, type Tx } from '../database.ts';
import { ensureSchema } from '../ensureSchema.ts';
import { readBackupFile, writeBackupFile } from './file.ts';
import { proveBackup } from './prove.ts';
import { RestoreError, restoreBackup } from './read.ts';
import { listBackupTables } from './tables.sql.ts';
import { writeBackup } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'rubadub-values-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = 300;
/** More than one insert writes. */
const CHAIN = 1_200;

const TYPES = Object.keys(VALUES);
const columnOf = (type: string) => sql.ref(`a ${type}`);

async function createTables(tx: Tx): Promise<void> {
  const columns = TYPES.map((type) => sql`${columnOf(type)} ${sql.raw(type)}`);
  await sql`create table every_type (n integer primary key, ${sql.join(columns)}, needed jsonb not null)`.execute(tx);
  await sql`create table chain (n integer primary key, next integer references chain)`.execute(tx);
}

async function fill(tx: Tx): Promise<void> {
  const row = fc.tuple(
    fc.record(Object.fromEntries(TYPES.map((type) => [type, fc.option(VALUES[type] ?? json)]))),
    json,
  );
  const rows = fc.sample(row, propertyRuns(ROWS));
  for (const [n, [values, needed]] of rows.entries()) {
    const texts = TYPES.map((type) => sql`${values[type]}::text::${sql.raw(type)}`);
    await sql`insert into every_type values (${n}, ${sql.join(texts)}, ${needed}::text::jsonb)`.execute(tx);
  }
  await sql`insert into chain select n, nullif(n, ${CHAIN}) + 1 from generate_series(1, ${CHAIN}::int) n`.execute(tx);
}

const openServer = async () => openServerDatabase(await createTestDatabase(), 2, 'endless');
const openEmbedded = () => openEmbeddedDatabase(undefined);
const DIRECTIONS: readonly [string, string, () => Promise<Database>, () => Promise<Database>][] = [
  ['PostgreSQL', 'the embedded database', openServer, openEmbedded],
  ['the embedded database', 'PostgreSQL', openEmbedded, openServer],
];

const linesOf = async function* (lines: readonly string[]) {
  yield* lines;
};

describe('the values of a backup', () => {
  test.each(DIRECTIONS)(
    'every value of every type, and none at all, is the same after it moved from %s to %s in a file',
    async (name, _, openSource, openTarget) => {
      const [source, target] = [await openSource(), await openTarget()];
      try {
        for (const { db } of [source, target]) await ensureSchema(db).then(() => createTables(db));
        await fill(source.db);
        const file = join(folder, `${name}.gz`);
        await writeBackupFile(file, writeBackup(source.db, new Date()));
        await restoreBackup(target.db, readBackupFile(file));
        expect(await readStoredRows(target.db)).toEqual(await readStoredRows(source.db));
        const used = new Set(
          (await listBackupTables(source.db)).flatMap(({ columns }) => columns.map(({ type }) => type)),
        );
        expect([...used].filter((type) => !(type in VALUES))).toEqual([]);
        // The rules of the tables hold again.
        const broken = sql`insert into chain values (0, 99999)`.execute(target.db);
        await expect(broken).rejects.toThrow('chain_next_fkey');
      } finally {
        await Promise.all([source.close(), target.close()]);
      }
    },
  );

  test('rows in every table survive, with each optional column once set and once without a value', async () => {
    const [source, target] = [await openServer(), await openServer()];
    try {
      for (const { db } of [source, target]) await ensureSchema(db).then(() => dropRules(db));
      await addMadeUpRows(source.db);
      expect(await findUnseen(source.db)).toEqual([]);
      await restoreBackup(target.db, linesOf(await takeBackup(source.db, new Date())));
      expect(await readStoredRows(target.db)).toEqual(await readStoredRows(source.db));
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  });

  test('a backup is not proven when a row comes back as another one', async () => {
    const source = await openServer();
    try {
      await ensureSchema(source.db);
      const whole = (await takeBackup(source.db, new Date())).map((line) => `${line}\n`).join('');
      // The database reads 07 as 7.
      const changed = withChecksum(whole.replace(/"value":"(\d+)"/, '"value":"0$1"'));
      const file = join(folder, 'changed.gz');
      await writeBackupFile(file, linesOf([changed]));
      const failure = await proveBackup(file, join(folder, 'proof')).catch((error: unknown) => error);
      expect(failure).toEqual(new RestoreError('row 1 of the table prices is another one when it is restored'));
    } finally {
      await source.close();
    }
  });
});
