import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHangingDatabase } from '../../testing/hangingDatabase.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { createTestDatabase, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { type Database, isDatabaseUnavailable, openServerDatabase, queryRow, queryRows } from './database.ts';
import { prepare } from './prepared.ts';

const BATCHES = 40;
const BATCH_SIZE = 50;
const DIVISION_BY_ZERO = '22012';

const echo = prepare<[text: string], { said: string }>((text) => sql`select ${text}::text as said`);
const divide = prepare<[by: number], { said: string }>((by) => sql`select (1 / ${by}::int)::text as said`);
const ownPid = prepare<[], { pid: number }>(() => sql`select pg_backend_pid() as pid`);

async function failAsUnavailable({ pipeline }: Database): Promise<boolean[]> {
  const results = await Promise.allSettled([echo.one(pipeline, 'a'), echo.one(pipeline, 'b')]);
  return results.map((one) => one.status === 'rejected' && isDatabaseUnavailable(one.reason));
}

describe('a pipelined connection', () => {
  let database: Database;
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 2);
  });
  afterAll(() => database.close());

  const pidOfPipeline = async () => (await ownPid.one(database.pipeline))?.pid ?? 0;

  test('gives each statement its own answer when others fail, are cancelled or lose the connection', async () => {
    const outcomes = { answered: 0, failed: 0, unavailable: 0 };
    const run = async (text: string, fails: boolean) => {
      const query = fails ? divide.one(database.pipeline, 0) : echo.one(database.pipeline, text);
      const outcome = await query.catch((error: unknown) => ({ error }));
      if (outcome && 'error' in outcome) {
        if (isDatabaseUnavailable(outcome.error)) outcomes.unavailable += 1;
        else {
          expect({ fails, code: (outcome.error as { code?: string }).code }).toEqual({
            fails: true,
            code: DIVISION_BY_ZERO,
          });
          outcomes.failed += 1;
        }
        return;
      }
      expect({ fails, ...outcome }).toEqual({ fails: false, said: text });
      outcomes.answered += 1;
    };
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const pid = await pidOfPipeline().catch(() => 0);
      const queries = Array.from({ length: BATCH_SIZE }, (_, n) => run(`${batch}/${n}`, n % 7 === 3));
      if (batch % 4 === 1) await queryRows(database.db, sql`select pg_cancel_backend(${pid}::int)`);
      if (batch % 10 === 5) await queryRows(database.db, sql`select pg_terminate_backend(${pid}::int)`);
      await Promise.all(queries);
    }
    expect(outcomes.answered).toBeGreaterThan(0);
    expect(outcomes.failed).toBeGreaterThan(0);
    expect(outcomes.answered + outcomes.failed + outcomes.unavailable).toBe(BATCHES * BATCH_SIZE);
  });

  test('runs statements on one connection, and connects again when it breaks', async () => {
    const pids = await Promise.all([pidOfPipeline(), pidOfPipeline(), pidOfPipeline()]);
    expect(new Set(pids).size).toBe(1);
    const [broken = 0] = pids;
    await queryRows(database.db, sql`select pg_terminate_backend(${broken}::int)`);
    await expect.poll(() => pidOfPipeline().catch(() => broken)).not.toBe(broken);
  });

  test('fails each statement when the database is unavailable, and sends nothing after close', async () => {
    const unavailable = openServerDatabase('postgres://nobody:nothing@127.0.0.1:1/nowhere', 1);
    expect(await failAsUnavailable(unavailable)).toEqual([true, true]);
    await unavailable.close();
    await expect(echo.one(unavailable.pipeline, 'c')).rejects.toThrow('the pipelined connection is closed');
  });
});

test('a database that accepts a connection and never answers counts as unavailable', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const database = openServerDatabase(`postgres://u:p@127.0.0.1:${(silent.address() as AddressInfo).port}/x`, 1);
  try {
    expect(await failAsUnavailable(database)).toEqual([true, true]);
  } finally {
    await database.close();
    silent.close();
  }
});

test('close does not wait for a database that hangs', async () => {
  const hanging = await openHangingDatabase();
  const database = openServerDatabase(`postgres://u:p@127.0.0.1:${hanging.port}/x`, 1);
  let isPending = true;
  const failures = failAsUnavailable(database).finally(() => {
    isPending = false;
  });
  await database.close();
  expect(isPending).toBe(true);
  expect(await failures).toEqual([true, true]);
  hanging.close();
});

describe('requests while a table is locked', () => {
  let server: TestServer;
  let bud: TestUser;
  beforeAll(async () => {
    server = await openTestServer('postgres');
    bud = await server.createUser('Bud');
  });
  afterAll(() => server.close());

  test('get a 503, also after one that timed out while its statement was prepared, and succeed after the lock', async () => {
    const other = openServerDatabase(server.databaseUrl ?? '', 1);
    const readStatuses = () => Promise.all(Array.from({ length: 5 }, () => readDashboardStatus()));
    try {
      await holdTransaction(other.db, async (tx) => {
        await queryRow(tx, sql`lock table orders in access exclusive mode`);
        expect(new Set(await readStatuses())).toEqual(new Set([503]));
      });
    } finally {
      await other.close();
    }
    expect(new Set(await readStatuses())).toEqual(new Set([200]));
  });

  async function readDashboardStatus(): Promise<number> {
    const response = await fetch(`${server.apiUrl}/dashboards/bud`, {
      headers: { authorization: `Bearer ${bud.token}` },
    });
    return response.status;
  }
});
