import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../testing/testServer.ts';
import { ServerClient } from './client.ts';
import {
  type Database,
  openEmbeddedDatabase,
  openServerDatabase,
  queryRow,
  transact,
  withConnection,
} from './database.ts';
import { ask, send } from './driver.ts';

const DIVISION_BY_ZERO = { code: '22012' };
const fails = sql`select 1 / 0`;
const insert = (n: number) => sql`insert into written values (${n})`;
const count = sql<{ n: number }>`select count(*)::int as n from written`;

describe.each(['embedded', 'postgres'] as const)(
  'statements that wait for the next one of their transaction, on %s',
  (kind) => {
    let database: Database;
    beforeAll(async () => {
      database =
        kind === 'postgres' ? openServerDatabase(await createTestDatabase(), 2) : await openEmbeddedDatabase(undefined);
      await sql`create table written (n int primary key check (n > 0))`.execute(database.db);
    });
    beforeEach(async () => void (await sql`delete from written`.execute(database.db)));
    afterAll(() => database?.close());

    const countWritten = async () => (await queryRow<{ n: number }>(database.db, count))?.n;

    test('run in the order in which they were given, and are committed with it', async () => {
      const answers = await transact(database.db, async (tx) => {
        await send(tx, insert(1));
        const one = await ask(tx, count);
        await send(tx, insert(2));
        const two = await ask(tx, count);
        await send(tx, insert(3));
        return [await one(), await two()];
      });
      expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }]]);
      expect(await countWritten()).toBe(3);
    });

    test('fail the next one that is read, with their own error', async () => {
      const failed = transact(database.db, async (tx) => {
        await send(tx, insert(1));
        await send(tx, fails);
        const never = await ask(tx, count);
        await expect(queryRow(tx, count)).rejects.toMatchObject(DIVISION_BY_ZERO);
        return never();
      });
      await expect(failed).rejects.toMatchObject(DIVISION_BY_ZERO);
      expect(await countWritten()).toBe(0);
    });

    test('fail the commit, after which nothing is written and the connection is as before', async () => {
      const failed = transact(database.db, async (tx) => {
        await queryRow(tx, count);
        await send(tx, insert(1));
        await send(tx, insert(-1));
        await send(tx, insert(2));
      });
      await expect(failed).rejects.toMatchObject({ code: '23514' });
      expect(await countWritten()).toBe(0);
    });

    test('are not committed by a transaction that goes on after an error', async () => {
      const failed = transact(database.db, async (tx) => {
        await send(tx, insert(1));
        await queryRow(tx, fails).catch(() => undefined);
      });
      await expect(failed).rejects.toMatchObject(DIVISION_BY_ZERO);
      expect(await countWritten()).toBe(0);
    });

    test('are dropped when the transaction is rolled back before they are sent', async () => {
      const failed = transact(database.db, async (tx) => {
        await send(tx, insert(1));
        throw new Error('refused');
      });
      await expect(failed).rejects.toThrow('refused');
      expect(await countWritten()).toBe(0);
    });

    test('are refused at once when a parameter cannot be sent', async () => {
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const failed = transact(database.db, async (tx) => {
        await send(tx, insert(1));
        await send(tx, sql`select ${circular}::json`);
      });
      await expect(failed).rejects.toThrow('circular');
      expect(await countWritten()).toBe(0);
    });

    test('that are asked on one connection wait too, and are sent at its end or before its transaction', async () => {
      const answers = await withConnection(database.db, async (db) => {
        const none = await ask(db, count);
        await transact(db, (tx) => send(tx, insert(1)));
        const one = await ask(db, count);
        await ask(db, insert(2));
        return [await none(), await one()];
      });
      expect(answers).toEqual([[{ n: 0 }], [{ n: 1 }]]);
      await withConnection(database.db, async (db) => void (await ask(db, insert(3))));
      expect(await countWritten()).toBe(3);
    });

    test('are sent at once outside of a transaction', async () => {
      await send(database.db, insert(1));
      expect(await countWritten()).toBe(1);
    });
  },
);

describe('a transaction on a PostgreSQL server', () => {
  let database: Database;
  const sent: string[] = [];
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 2);
    await sql`create table written (n int primary key)`.execute(database.db);
    const { query } = ServerClient.prototype;
    vi.spyOn(ServerClient.prototype, 'query').mockImplementation(function (this: ServerClient, ...all) {
      sent.push(all[0]);
      return query.apply(this, failing.has(all[0]) ? ['select 1 / 0'] : all);
    });
  });
  beforeEach(() => {
    failing.clear();
    sent.length = 0;
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await database?.close();
  });
  /** Statements whose place another one takes, which fails. */
  const failing = new Set<string>();

  test('reads behind the lock of its first round trip what another transaction has committed meanwhile', async () => {
    await insert(1).execute(database.db);
    const lock = sql`select n from written for update`;
    let read: Promise<unknown> | undefined;
    await transact(database.db, async (tx) => {
      await lock.execute(tx);
      sent.length = 0;
      read = transact(database.db, async (other) => {
        await send(other, lock);
        return queryRow(other, count);
      });
      await expect.poll(() => sent).toContain(count.compile(database.db).sql);
      await insert(2).execute(tx);
    });
    expect(await read).toEqual({ n: 2 });
    await sql`delete from written`.execute(database.db);
  });

  test('sends no statement when it has none', async () => {
    await transact(database.db, async () => undefined);
    await expect(transact(database.db, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(sent).toEqual([]);
  });

  test('changes nothing when its BEGIN fails', async () => {
    failing.add('begin');
    await expect(transact(database.db, (tx) => send(tx, insert(1)))).rejects.toMatchObject(DIVISION_BY_ZERO);
    await expect(transact(database.db, (tx) => insert(2).execute(tx))).rejects.toMatchObject(DIVISION_BY_ZERO);
    expect(sent.filter((text) => text.startsWith('insert'))).toEqual([]);
    const read = transact(database.db, (tx) => queryRow(tx, count));
    await expect(read).rejects.toMatchObject(DIVISION_BY_ZERO);
    expect(await queryRow(database.db, count)).toEqual({ n: 0 });
  });

  test('fails when its connection is lost before the answer to its COMMIT', async () => {
    const lost = transact(database.db, async (tx) => {
      await queryRow(tx, count);
      await send(tx, sql`select pg_terminate_backend(pg_backend_pid())`);
      await send(tx, insert(1));
    });
    await expect(lost).rejects.toThrow();
    expect(await queryRow(database.db, count)).toEqual({ n: 0 });
  });
});
