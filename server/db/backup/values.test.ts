import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../testing/testServer.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRows } from '../database.ts';
import { listBackupTables, readTable, setTextFormats, writeRows } from './tables.sql.ts';

/** A text that each kind of column accepts as its input, and that is hard to keep. */
const TEXT = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
const JSON_TEXT = fc.oneof(
  fc.constantFrom('null', '"null"', '""', '{"a":null}', '[null]', '0.10'),
  fc.json({ maxDepth: 2 }),
);
const WITHOUT_NUL = JSON_TEXT.filter((text) => !/\\u0000|\\ud[89a-f]/i.test(text));
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  text: TEXT,
  boolean: fc.constantFrom('t', 'f'),
  integer: fc.integer().map(String),
  smallint: fc.integer({ min: -32_768, max: 32_767 }).map(String),
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  numeric: fc.constantFrom('0.10', '-0', '12345678901234567890.0123456789', 'NaN'),
  'double precision': fc.oneof(fc.double().map(String), fc.constantFrom('-0', 'NaN', 'Infinity', '5e-324')),
  'timestamp with time zone': fc.constantFrom(
    'infinity',
    '-infinity',
    '2026-01-02 03:04:05.678901+00',
    '0044-03-15 12:00:00+00 BC',
  ),
  date: fc.constantFrom('infinity', '2026-02-28', '0044-03-15 BC'),
  time: fc.constantFrom('24:00:00', '00:00:00.000001'),
  interval: fc.constantFrom('1 year 2 mons -3 days 04:05:06.789', '00:00:00'),
  uuid: fc.uuid(),
  bytea: fc.uint8Array({ maxLength: 8 }).map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`),
  json: WITHOUT_NUL,
  jsonb: WITHOUT_NUL,
  'text[]': fc.constantFrom('{}', '{NULL,"NULL",""}', '{"a b","c\\"d","{e}"}'),
  'integer[]': fc.constantFrom('{}', '{1,NULL,-3}'),
  'uuid[]': fc.constantFrom('{}', '{0192f0c1-7a3b-7c4d-8e5f-0123456789ab}'),
  'text[][]': fc.constantFrom('{{a,b},{c,NULL}}'),
};
const TYPES = Object.keys(VALUES);
const COLUMNS = TYPES.map((type, at) => ({ name: `c${at}`, type }));

const ROW = fc.tuple(...TYPES.map((type) => fc.option(VALUES[type] ?? TEXT, { freq: 4 })));

async function openWithTable(open: () => Promise<Database> | Database): Promise<Database> {
  const database = await open();
  const columns = sql.join(COLUMNS.map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(type)}`));
  await queryRows(database.db, sql`create table kept (id integer primary key, ${columns})`);
  return database;
}

/** Restores the rows of the first database into the second. Returns what each of the two has. */
async function copyRows(from: Database, to: Database): Promise<[unknown[], unknown[]]> {
  const inOne = <T>({ db }: Database, work: (tx: typeof db) => Promise<T>) => db.transaction().execute(work);
  const lines = await inOne(from, async (tx) => {
    await setTextFormats(tx);
    const [table] = await listBackupTables(tx);
    const found: string[] = [];
    if (table) for await (const line of readTable(tx, table)) found.push(line);
    return found;
  });
  await inOne(to, async (tx) => {
    await setTextFormats(tx);
    const [table] = await listBackupTables(tx);
    if (table) await writeRows(tx, table, lines);
  });
  const everything = sql`select t::text as value, ${sql.join(COLUMNS.map(({ name }) => sql`t.${sql.ref(name)} is null as ${sql.ref(name)}`))} from kept t order by id`;
  return [await queryRows(from.db, everything), await queryRows(to.db, everything)];
}

test('a backup keeps every value of every type that a column may have, and tells no value from the JSON value null', async () => {
  const url = await createTestDatabase('template0');
  const server = await openWithTable(() => openServerDatabase(url, 1));
  const embedded = await openWithTable(() => openEmbeddedDatabase(undefined));
  try {
    const rows = fc.sample(ROW, { numRuns: 300, seed: 36 });
    rows.push(TYPES.map(() => null) as (typeof rows)[number]);
    for (const [id, row] of rows.entries()) {
      const values = sql.join(row.map((value, at) => sql`${value}::text::${sql.raw(TYPES[at] ?? 'text')}`));
      await queryRows(server.db, sql`insert into kept values (${id}::integer, ${values})`);
    }
    const [first, second] = await copyRows(server, embedded);
    expect(first).toHaveLength(rows.length);
    expect(second).toEqual(first);
    await queryRows(server.db, sql`delete from kept`);
    const [third, fourth] = await copyRows(embedded, server);
    expect(third).toEqual(first);
    expect(fourth).toEqual(first);
  } finally {
    await server.close();
    await embedded.close();
  }
});

test('the types of all columns are among those that are tried', async () => {
  const database = await openEmbeddedDatabase(undefined);
  const { migrate } = await import('../migrate.ts');
  await migrate(database.db);
  const tables = await listBackupTables(database.db);
  const types = new Set(tables.flatMap(({ columns }) => columns.map(({ type }) => type)));
  expect([...types].filter((type) => !TYPES.includes(type))).toEqual([]);
  await database.close();
});
