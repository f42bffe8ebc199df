import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestUser } from '../../testing/testServer.ts';
import { LaunchFailed, launchServer } from '../processes.ts';
import { describePromise, TEST_TIMEOUT_MS } from '../promiseSuite.ts';
import { openServerPair, type ServerPair } from '../serverPair.ts';
import { findPgBouncer, type PgBouncer, startPgBouncer, versionOf } from './pgbouncer.ts';

const LANES = 16;

describePromise('pooler', (suite) => {
  const program = findPgBouncer();
  let databaseUrl: string;
  let pooler: PgBouncer;
  let pair: ServerPair;

  beforeAll(async () => {
    if (!program) return;
    databaseUrl = await createTestDatabase();
    pooler = await startPgBouncer(program, databaseUrl);
    pair = await openServerPair({ databaseUrl: pooler.url, env: { DATABASE_DIRECT_URL: databaseUrl } });
    suite.recordFigure('PgBouncer', versionOf(program));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await pair?.close();
    await pooler?.stop();
  });

  test(
    'each of two servers behind PgBouncer gets the rows of its own statements',
    async () => {
      if (!program) return suite.skipCases('this machine has no PgBouncer, and cannot install it', suite.cases);
      const people = await Promise.all(
        Array.from({ length: LANES }, (_, lane) =>
          pair.createUser((['Bud', 'Scrub', 'Duber'] as const)[lane % 3] ?? 'Bud'),
        ),
      );
      await Promise.all(
        people.map(async (person, lane) => {
          const user = lane % 2 ? pair.atSecond(person) : person;
          for (let count = lane; count < suite.cases; count += LANES) {
            await suite.attempt(() => readOwnRows(user, count));
          }
        }),
      );
    },
    TEST_TIMEOUT_MS,
  );

  test('a server that cannot work behind a pooler stops with one line that says what to set', async () => {
    if (!program) return;
    const start = async (url: string, env: Record<string, string> = {}) => {
      const error = await launchServer({ ...pair.env, DATABASE_DIRECT_URL: '', DATABASE_URL: url, ...env }).catch(
        (failure) => failure,
      );
      expect(error).toBeInstanceOf(LaunchFailed);
      return error.message as string;
    };
    expect(await start(pooler.url)).toMatch(/^rubadub: DATABASE_DIRECT_URL is missing: .*pooler[^\n]*$/);
    const refusing = await startPgBouncer(program, databaseUrl, (ini) => ini.replace(/^ignore_startup.*$/m, ''));
    expect(await start(refusing.url)).toMatch(/^rubadub: DATABASE_URL .*ignore_startup_parameters[^\n]*$/);
    await refusing.stop();
    const dropping = await startPgBouncer(program, databaseUrl, (ini) => ini.replace(/ connect_query='[^']*'/, ''));
    expect(await start(dropping.url)).toMatch(/^rubadub: DATABASE_URL .*drops our settings.*connect_query=[^\n]*$/);
    await dropping.stop();
  });
});

/** Reads something of the user, and expects it to be theirs. */
async function readOwnRows({ user, api }: TestUser, count: number): Promise<void> {
  if (count % 3 === 0) expect((await api.session()).user.id).toBe(user.id);
  else if (count % 3 === 1) expect((await api.profile()).email).toBe(user.email);
  else
    expect(await api.listDeliveries({ query: { pageNumber: '1', pageSize: '10' } })).toMatchObject({
      data: { totalCount: 0 },
    });
}
