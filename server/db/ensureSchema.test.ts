import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/testServer.ts';
import { openServerDatabase, queryRow, type Tx } from './database.ts';
import { ensureSchema, SCHEMA_NUMBER, SchemaError } from './ensureSchema.ts';

const LOCK_ID = '3853314791062309107';

describe('the tables of a database', () => {
  const databases: ReturnType<typeof openServerDatabase>[] = [];
  const open = async (url?: string) => {
    const database = openServerDatabase(url ?? (await createTestDatabase()), 2, 'endless');
    databases.push(database);
    return database.db;
  };
  afterAll(() => Promise.all(databases.map((database) => database.close())));

  const readNumber = async (db: Tx) =>
    (await db.selectFrom('schema_version').select('number').executeTakeFirstOrThrow()).number;
  const countTables = (db: Tx) =>
    queryRow<{ count: number }>(
      db,
      sql`select count(*)::int as count from pg_tables where schemaname = current_schema()`,
    );

  test('are made once when ten servers start at the same time', async () => {
    const url = await createTestDatabase();
    const servers = await Promise.all(Array.from({ length: 10 }, () => open(url)));
    await Promise.all(servers.map((db) => ensureSchema(db)));
    expect(await readNumber(servers[0] as Tx)).toBe(SCHEMA_NUMBER);
  });

  test('are made by one server while the others wait, which say so and give up with one line', async () => {
    const url = await createTestDatabase();
    const [other, db] = [await open(url), await open(url)];
    await other.connection().execute(async (session) => {
      await sql`select pg_advisory_lock(${sql.lit(LOCK_ID)}::bigint)`.execute(session);
      const messages: string[] = [];
      const failure = ensureSchema(db, { log: (message) => messages.push(message), lockWaitS: 1 });
      await expect(failure).rejects.toThrow(SchemaError);
      await expect(failure).rejects.toThrow(
        /^another server has been making the tables of the database for 1 seconds: [^\n]+$/,
      );
      expect(messages).toEqual(['waiting for another server that makes the tables of the database, up to 1 seconds']);
      const patient = ensureSchema(db);
      await sql`select pg_advisory_unlock_all()`.execute(session);
      await patient;
    });
    expect(await readNumber(db)).toBe(SCHEMA_NUMBER);
  });

  test('are all made or none', async () => {
    const db = await open();
    // The name of a table that is made late.
    await sql`create table timers (id integer)`.execute(db);
    await expect(ensureSchema(db)).rejects.toThrow('already exists');
    expect(await countTables(db)).toEqual({ count: 1 });
  });

  test('of another schema are refused with one line that says what to do, and are left as they are', async () => {
    const [later, earlier] = [await open(), await open()];
    await ensureSchema(later);
    await sql`update schema_version set number = 999`.execute(later);
    await sql`create table kysely_migration (name text)`.execute(earlier);
    for (const [db, words] of [
      [later, 'has schema 999'],
      [earlier, 'was made by an earlier build'],
    ] as const) {
      const before = await countTables(db);
      await expect(ensureSchema(db)).rejects.toThrow(
        `the database ${words}, and this build works with schema ${SCHEMA_NUMBER}: see "Upgrades" in docs/operating.md`,
      );
      expect(await countTables(db)).toEqual(before);
    }
  });
});
