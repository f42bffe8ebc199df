import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advanceDelivery, createOrderInStatus, createParticipants, findLegId } from '../testing/orderSteps.ts';
import { createTestDatabase, PASSWORD, type TestServer } from '../testing/testServer.ts';
import { createFuzzOptions, generateRequest, type KnownData, type Reply, type Request, send } from './fuzz.ts';
import { launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { describePromise, type PromiseSuite, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { createTestUserAt } from './serverPair.ts';

const CONCURRENCY = 8;
/** From nearly right to mostly wrong. */
const HOSTILE_RATES = [0.02, 0.1, 0.3];

const INTERNALS_PATTERN = /postgres|pglite|kysely|\bat \S+ \(|node_modules|syntax error|relation "/i;

function describeFuzz(suite: PromiseSuite, envOf: (folder: string) => Promise<Record<string, string>>): void {
  let folder: string;
  let standIns: StandIns;
  let server: ServerProcess;
  let known: KnownData;
  const statuses: Record<string, number> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rubadub-fuzz-'));
    standIns = await launchStandIns();
    server = await launchServer({ ...standIns.env, ...(await envOf(folder)) });
    known = await settle();
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await server?.end();
    await standIns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Some people and some things of everything, to be named in requests. */
  async function settle(): Promise<KnownData> {
    const people = {
      createUser: (...[role, person]: Parameters<TestServer['createUser']>) =>
        createTestUserAt(server, standIns.url, role, person),
    };
    const casts = [await createParticipants(people as TestServer), await createParticipants(people as TestServer)];
    const ids: string[] = [];
    for (const cast of casts) {
      for (const status of ['Requested', 'Accepted', 'In_Progress', 'Completed', 'Cancelled'] as const) {
        const order = await createOrderInStatus(cast, status);
        ids.push(order.id, ...order.deliveries.map(({ id }) => id));
      }
      await advanceDelivery(cast.duber, findLegId(await createOrderInStatus(cast, 'Accepted'), 'Bud_To_Scrub'), 2);
      for (const { user } of Object.values(cast)) ids.push(user.id, ...user.addresses.map(({ id }) => id));
    }
    const all = casts.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]);
    const tokensOf = (role: string) => all.filter(({ user }) => user.role === role).map(({ token }) => token);
    const tokens = { Bud: tokensOf('Bud'), Scrub: tokensOf('Scrub'), Duber: tokensOf('Duber') };
    return { ids, emails: [...all.map(({ user }) => user.email), 'nobody@rubadub.test'], tokens };
  }

  /** What is wrong with an answer, whatever was asked. */
  function faultOf({ status, headers, text }: Reply, { method }: Request): string | undefined {
    if (status >= 500 || status < 200) return `status ${status}`;
    if (INTERNALS_PATTERN.test(status >= 400 ? text : '')) return 'internals in an error';
    // What Node cannot even read as HTTP never becomes a request of ours.
    if (!headers['x-request-id'] && status !== 400 && status !== 431) return 'no request id';
    if (status < 400 || method === 'HEAD') return undefined;
    const body = JSON.parse(text || 'null') as { statusCode?: number; message?: unknown } | null;
    return body?.statusCode === status && body.message ? undefined : `an error of another shape: ${text.slice(0, 200)}`;
  }

  async function fuzzOnce(): Promise<void> {
    const wildness = HOSTILE_RATES[Math.floor(suite.random() * HOSTILE_RATES.length)] as number;
    const request = generateRequest(createFuzzOptions(suite.random, known, wildness), known);
    let reply = await send(server.url, request).catch((error: unknown) => error as Error);
    // A machine that is too busy refuses once, a bug of ours refuses always.
    for (let again = 0; again < 3 && 'status' in reply && reply.status === 503; again += 1) {
      await setTimeout(1_000);
      reply = await send(server.url, request).catch((error: unknown) => error as Error);
    }
    const fault = reply instanceof Error ? String(reply) : faultOf(reply, request);
    if (fault) expect.fail(`${fault}\n${describe(request)}\n${server.log.slice(-2).join('\n')}`);
    const status = (reply as Reply).status;
    statuses[status] = (statuses[status] ?? 0) + 1;
    suite.countCases();
  }

  const describe = ({ method, path, headers, body }: Request) =>
    `${method} ${path.slice(0, 500)}\n${JSON.stringify(headers)}\n${body?.toString('utf8').slice(0, 1_000) ?? ''}`;

  test('is answered, with less than a 500 and in the one shape', { timeout: TEST_TIMEOUT_MS }, async () => {
    let left = suite.cases;
    const lane = async () => {
      while (left-- > 0) await fuzzOnce();
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    for (const [status, count] of Object.entries(statuses)) suite.recordFigure(`answered ${status}`, count);
    // It was nearly right often enough to get past the shapes.
    expect(statuses[200]).toBeGreaterThan(suite.cases / 20);
    expect(statuses[400]).toBeGreaterThan(suite.cases / 20);
  });

  test('and afterwards everything is as it was', async () => {
    expect(server.isRunning()).toBe(true);
    expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200);
    const bud = await createTestUserAt(server, standIns.url, 'Bud');
    expect((await bud.api.session()).user.id).toBe(bud.user.id);
    expect(server.log.filter((line) => /unhandled|ERR_/i.test(line))).toEqual([]);
    const secrets = [...known.tokens.Bud, ...known.tokens.Scrub, ...known.tokens.Duber, ...known.emails, PASSWORD];
    for (const line of server.log)
      expect(
        secrets.filter((one) => line.includes(one)),
        line,
      ).toEqual([]);
  });
}

if (process.env.TEST_DATABASE_URL) {
  describePromise('fuzz-postgres', (suite) =>
    describeFuzz(suite, async (folder) => ({ DATABASE_URL: await createTestDatabase(), DATA_DIR: folder })),
  );
}
describePromise('fuzz-embedded', (suite) => describeFuzz(suite, async (folder) => ({ DATA_DIR: folder })));
