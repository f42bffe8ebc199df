import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallFailed } from '../../contract/callClient.ts';
import { createClient } from '../../contract/client.ts';
import { findTestPort } from '../../testing/ports.ts';
import { createTestDatabase, type TestUser } from '../../testing/testServer.ts';
import { type Env, launchServer, launchStandIns, type ServerProcess, type StandIns } from '../processes.ts';
import { describePromise, TEST_TIMEOUT_MS } from '../promiseSuite.ts';
import { createTestUserAt } from '../serverPair.ts';
import { findHaproxy, type Haproxy, startHaproxy } from './haproxy.ts';

const LANES = 8;

describePromise('rolling-restart', (suite) => {
  const program = findHaproxy();
  let standIns: StandIns;
  let proxy: Haproxy;
  let servers: ServerProcess[];
  let ports: number[];
  let env: Env;
  let people: TestUser[];

  beforeAll(async () => {
    if (!program) return;
    standIns = await launchStandIns();
    // Longer than the proxy takes to notice.
    env = { ...standIns.env, DATABASE_URL: await createTestDatabase(), TRUST_PROXY: 'on', DRAIN_S: '3' };
    ports = [await findTestPort(), await findTestPort()];
    servers = await Promise.all(ports.map((port) => launchServer({ ...env, PORT: String(port) })));
    proxy = await startHaproxy(program, ports);
    const [first] = servers;
    people = await Promise.all(
      Array.from({ length: LANES }, () => createTestUserAt(first as ServerProcess, standIns.url, 'Scrub')),
    );
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all((servers ?? []).map((server) => server.end()));
    await standIns?.close();
  });

  test(
    'no request fails while each server behind a load balancer is restarted in turn',
    async () => {
      if (!program) return suite.skipCases('this machine has no HAProxy, and cannot install it', suite.cases);
      let isDone = false;
      let answered = 0;
      const failures: string[] = [];
      const lanes = people.map(async ({ token, user }) => {
        const api = createClient(`${proxy.url}/api`, () => token);
        for (let count = 0; !isDone || answered < suite.cases; count += 1) {
          await useAsScrub(api, user.id, count).catch((error: Error) =>
            failures.push(`${(error as CallFailed).statusCode} ${error.message}`),
          );
          answered += 1;
        }
      });
      for (let restart = 0; restart < restartsFor(suite.cases); restart += 1) {
        const index = restart % 2;
        expect(await servers[index]?.end('SIGTERM')).toBe(0);
        servers[index] = await launchServer({ ...env, PORT: String(ports[index]) });
        // Operators restart the next server only when this one is back.
        await expect.poll(proxy.countReady).toBe(2);
      }
      isDone = true;
      await Promise.all(lanes);
      suite.recordFigure('restarts', restartsFor(suite.cases));
      expect(failures).toEqual([]);
      suite.countCases(answered);
    },
    TEST_TIMEOUT_MS,
  );
});

const restartsFor = (cases: number) => Math.max(2, Math.min(6, Math.floor(cases / 500)));

/** Reads, and every fifth time writes. */
async function useAsScrub(api: ReturnType<typeof createClient>, id: string, count: number): Promise<void> {
  if (count % 5 > 0) expect((await api.session()).user.id).toBe(id);
  else expect(await api.changeVisibility({ body: { isActive: true } })).toEqual({ isActive: true });
}
