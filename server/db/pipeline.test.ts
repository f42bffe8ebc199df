import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestDatabase,
  DATABASE_KINDS,
  openTestServer,
  type TestServer,
  type TestUser,
} from '../../testing/testServer.ts';
import { type Database, isDatabaseUnavailable, openServerDatabase, queryRow, queryRows } from './database.ts';
import { prepare } from './prepared.ts';

const BATCHES = 40;
const BATCH_SIZE = 50;
// What PostgreSQL says to whoever may come in: AuthenticationOk, ReadyForQuery.
const AUTHENTICATED = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);
const DIVISION_BY_ZERO = '22012';

const echo = prepare<[text: string], { said: string }>((text) => sql`select ${text}::text as said`);
const divide = prepare<[by: number], { said: string }>((by) => sql`select (1 / ${by}::int)::text as said`);
const ownPid = prepare<[], { pid: number }>(() => sql`select pg_backend_pid() as pid`);

async function failAsUnavailable({ pipeline: quick }: Database): Promise<boolean[]> {
  const told = await Promise.allSettled([echo.one(quick, 'a'), echo.one(quick, 'b')]);
  return told.map((one) => one.status === 'rejected' && isDatabaseUnavailable(one.reason));
}

describe.runIf(DATABASE_KINDS.includes('postgres'))('Many statements under way on one connection', () => {
  let database: Database;
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 2);
  });
  afterAll(() => database.close());

  const pidOfLine = async () => (await ownPid.one(database.pipeline))?.pid ?? 0;

  test('each gets its own answer, whatever fails, is cancelled or breaks beside it', async () => {
    const outcomes = { answered: 0, refused: 0, away: 0 };
    const ask = async (text: string, fails: boolean) => {
      const asked = fails ? divide.one(database.pipeline, 0) : echo.one(database.pipeline, text);
      const outcome = await asked.catch((error: unknown) => ({ error }));
      if (outcome && 'error' in outcome) {
        if (isDatabaseUnavailable(outcome.error)) outcomes.away += 1;
        else {
          expect({ fails, code: (outcome.error as { code?: string }).code }).toEqual({
            fails: true,
            code: DIVISION_BY_ZERO,
          });
          outcomes.refused += 1;
        }
        return;
      }
      expect({ fails, ...outcome }).toEqual({ fails: false, said: text });
      outcomes.answered += 1;
    };
    for (let round = 0; round < BATCHES; round += 1) {
      const pid = await pidOfLine().catch(() => 0);
      const asked = Array.from({ length: BATCH_SIZE }, (_, n) => ask(`${round}/${n}`, n % 7 === 3));
      if (round % 4 === 1) await queryRows(database.db, sql`select pg_cancel_backend(${pid}::int)`);
      if (round % 10 === 5) await queryRows(database.db, sql`select pg_terminate_backend(${pid}::int)`);
      await Promise.all(asked);
    }
    expect(outcomes.answered).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(outcomes.answered + outcomes.refused + outcomes.away).toBe(BATCHES * BATCH_SIZE);
  });

  test('they do share it, and one that broke is replaced by another', async () => {
    const pids = await Promise.all([pidOfLine(), pidOfLine(), pidOfLine()]);
    expect(new Set(pids).size).toBe(1);
    const [broken = 0] = pids;
    await queryRows(database.db, sql`select pg_terminate_backend(${broken}::int)`);
    await expect.poll(() => pidOfLine().catch(() => broken)).not.toBe(broken);
  });

  test('when the database is away each is told so, and after the end nothing is asked', async () => {
    const away = openServerDatabase('postgres://nobody:nothing@127.0.0.1:1/nowhere', 1);
    expect(await failAsUnavailable(away)).toEqual([true, true]);
    await away.close();
    await expect(echo.one(away.pipeline, 'c')).rejects.toThrow('the line is closed');
  });
});

test('A database that takes a connection and says nothing is away, too', async () => {
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

test('A database that has stopped in its tracks holds up nobody who closes', async () => {
  const stopped = createServer((socket) => void socket.once('data', () => socket.write(AUTHENTICATED))).listen(
    0,
    '127.0.0.1',
  );
  await once(stopped, 'listening');
  const database = openServerDatabase(`postgres://u:p@127.0.0.1:${(stopped.address() as AddressInfo).port}/x`, 1);
  let isAsking = true;
  const asked = failAsUnavailable(database).finally(() => {
    isAsking = false;
  });
  await database.close();
  expect(isAsking).toBe(true);
  expect(await asked).toEqual([true, true]);
  stopped.close();
});

describe.runIf(DATABASE_KINDS.includes('postgres'))('Those who look while a table is locked', () => {
  let world: TestServer;
  let bud: TestUser;
  beforeAll(async () => {
    world = await openTestServer('postgres');
    bud = await world.createUser('Bud');
  });
  afterAll(() => world.close());

  test('are told to come back, also behind one that was given up while it was prepared, and then see it', async () => {
    const other = openServerDatabase(world.databaseUrl ?? '', 1);
    const looks = () => Promise.all(Array.from({ length: 5 }, () => statusOfBoard()));
    try {
      await other.db.transaction().execute(async (tx) => {
        await queryRow(tx, sql`lock table reviews in access exclusive mode`);
        expect(new Set(await looks())).toEqual(new Set([503]));
      });
    } finally {
      await other.close();
    }
    expect(new Set(await looks())).toEqual(new Set([200]));
  });

  async function statusOfBoard(): Promise<number> {
    const response = await fetch(`${world.apiUrl}/dashboards/bud`, {
      headers: { authorization: `Bearer ${bud.token}` },
    });
    return response.status;
  }
});
