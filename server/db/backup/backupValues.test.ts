import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { takeBackup, withChecksum } from '../../../testing/backupFiles.ts';
import { propertyRuns } from '../../../testing/propertyRuns.ts';
import { readStoredRows } from '../../../testing/storedRows.ts';
import { createTestDatabase } from '../../../testing/testServer.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRows, type Tx } from '../database.ts';
import { migrate } from '../migrate.ts';
import { readBackupFile, writeBackupFile } from './file.ts';
import { proveBackup } from './prove.ts';
import { RestoreError, restoreBackup } from './read.ts';
import { listBackupTables, listMigrations } from './tables.sql.ts';
import { writeBackup } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'rubadub-values-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = 300;
/** More than one insert writes. */
const CHAIN = 1_200;

const among = (...texts: string[]) => fc.constantFrom(...texts);
const text = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((one) => one.replaceAll('\u0000', ''))
  .filter((one) => one.isWellFormed());
const oddText = among(
  '',
  'null',
  'NULL',
  '\\N',
  '\\x',
  '"',
  "'",
  '#rows 0',
  '{}',
  '\u2028',
  'a\u2029b',
  '\r\n',
  '\u0085',
  '\ufeff',
);
const uuid = fc.uuid();
const json = fc.json().filter((one) => !one.includes('\\u0000') && one.isWellFormed() && !one.includes('\\ud'));
const oddJson = among(
  'null',
  '"null"',
  '[null]',
  '{"a": null}',
  '""',
  '-0',
  '1.10',
  '1e300',
  '12345678901234567890.123',
  '"\u2028"',
);
const whole = (least: bigint, most: bigint) =>
  fc.oneof(fc.bigInt(least, most), fc.constantFrom(least, most, 0n)).map(String);
const array = (item: fc.Arbitrary<string>) =>
  fc
    .array(fc.option(item), { maxLength: 4 })
    .map((items) => `{${items.map((one) => (one === null ? 'NULL' : JSON.stringify(one))).join(',')}}`)
    .filter((one) => !/\\[^"\\]/.test(one));

/** Values of each type that a column of ours has, and of the others that one may have one day. */
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  boolean: among('true', 'false'),
  integer: whole(-(2n ** 31n), 2n ** 31n - 1n),
  bigint: whole(-(2n ** 63n), 2n ** 63n - 1n),
  'double precision': fc.oneof(fc.double().map(String), among('NaN', '-Infinity', 'Infinity', '-0', '5e-324', '1e308')),
  text: fc.oneof(text, oddText),
  uuid,
  bytea: fc.uint8Array({ maxLength: 40 }).map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`),
  'timestamp with time zone': fc.oneof(
    fc
      .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-01-01') })
      .map((at) => at.toISOString()),
    among(
      'infinity',
      '-infinity',
      '0044-03-15 12:00:00+00 BC',
      '294276-12-31 23:59:59.999999+00',
      '2026-01-02 03:04:05.678901+05:45',
    ),
  ),
  jsonb: fc.oneof(json, oddJson),
  'text[]': fc.oneof(array(text), among('{}', '{NULL,"NULL",""}', '[2:3]={a,b}', '{{a,b},{c,d}}')),
  'uuid[]': fc.oneof(array(uuid), among('{}')),
  json: fc.oneof(json, oddJson, among('{ "a":1,\n "a":2 }')),
  numeric: fc.oneof(whole(-(10n ** 60n), 10n ** 60n), among('0.10', 'NaN', 'Infinity', '-1e-40')),
  real: fc.oneof(fc.float().map(String), among('-0', 'NaN')),
  date: among('infinity', '2026-11-29', '0044-03-15 BC'),
  interval: among('-1 days +02:03:04.000001', '1 year', '00:00:00'),
};
const TYPES = Object.keys(VALUES);
const columnOf = (type: string) => sql.ref(`a ${type}`);

async function createTables(tx: Tx): Promise<void> {
  const columns = TYPES.map((type) => sql`${columnOf(type)} ${sql.raw(type)}`);
  await sql`create table every_type (n integer primary key, ${sql.join(columns)}, needed jsonb not null)`.execute(tx);
  await sql`create table chain (n integer primary key, next integer references chain)`.execute(tx);
}

async function fill(tx: Tx): Promise<void> {
  const row = fc.tuple(
    fc.record(Object.fromEntries(TYPES.map((type) => [type, fc.option(VALUES[type] ?? text)]))),
    fc.oneof(json, oddJson),
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

/** A backup as earlier releases wrote it: each row as the JSON that PostgreSQL makes of it. */
async function inFirstFormat(tx: Tx, backup: readonly string[]): Promise<string[]> {
  const lines: string[] = ['#rubadub-backup 1'];
  for (const line of backup.slice(1)) {
    if (line.startsWith('#')) lines.push(line);
    const [, table] = /^#table (.*)$/.exec(line) ?? [];
    if (table === undefined) continue;
    const rows = await queryRows<{ line: string }>(
      tx,
      sql`select row_to_json(t)::text as line from ${sql.table(table)} t`,
    );
    lines.push(...rows.map((row) => row.line));
  }
  return withChecksum(`${lines.join('\n')}\n`)
    .split('\n')
    .slice(0, -1);
}

async function setPauseToNothing(tx: Tx): Promise<void> {
  await sql`insert into settings (name, value, valid_from, set_by) values ('pause', 'null', now(), 'the test')`.execute(
    tx,
  );
}

describe('the values of a backup', () => {
  test.each(DIRECTIONS)(
    'every value of every type, and none at all, is the same after it moved from %s to %s in a file',
    async (name, _, openSource, openTarget) => {
      const [source, target] = [await openSource(), await openTarget()];
      try {
        for (const { db } of [source, target]) await migrate(db).then(() => createTables(db));
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

  test('a file of an earlier release is restored with the null of a setting, and with texts that have odd line ends', async () => {
    const [source, target] = [await openServer(), await openServer()];
    try {
      await migrate(source.db);
      await setPauseToNothing(source.db);
      await sql`update settings set set_by = 'a' || chr(8232) || 'b'`.execute(source.db);
      const backup = await inFirstFormat(source.db, await takeBackup(source.db, new Date()));
      const file = join(folder, 'first.gz');
      await writeBackupFile(file, linesOf(backup.map((line) => `${line}\n`)));
      await restoreBackup(target.db, readBackupFile(file));
      expect(await readStoredRows(target.db)).toEqual(await readStoredRows(source.db));
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  });

  test('a file from before a migration is restored into a new database, which can be migrated then', async () => {
    const [source, target] = [await openServer(), await openServer()];
    try {
      await migrate(source.db, { upTo: '046_listed_payments' });
      await setPauseToNothing(source.db);
      await restoreBackup(target.db, linesOf(await takeBackup(source.db, new Date())));
      expect((await listMigrations(target.db)).at(-1)).toBe('046_listed_payments');
      for (const { db } of [source, target]) await migrate(db);
      expect(await readStoredRows(target.db)).toEqual(await readStoredRows(source.db));
      expect(await listMigrations(target.db)).toEqual(await listMigrations(source.db));
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  });

  test('a backup is not proven when a row comes back as another one', async () => {
    const source = await openServer();
    try {
      await migrate(source.db);
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
