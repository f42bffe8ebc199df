import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advanceDelivery, createOrderInStatus, createParticipants, findDeliveryId } from '../testing/orderSteps.ts';
import { sendRaw } from '../testing/rawSocket.ts';
import { createTestDatabase, PASSWORD, type TestServer } from '../testing/testServer.ts';
import { createFuzzOptions, generateRequest, type KnownData, type Reply, type Request, send } from './fuzz.ts';
import { launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { describePromise, type PromiseSuite, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { generateRawBytes, type RawBytes, rawJsonRequest } from './rawFuzz.ts';
import { createTestUserAt } from './serverPair.ts';

const CONCURRENCY = 8;
/** How often a value is hostile: requests range from nearly valid to mostly invalid. */
const HOSTILE_RATES = [0.02, 0.1, 0.3];

const INTERNALS_PATTERN = /postgres|pglite|kysely|\bat \S+ \(|node_modules|syntax error|relation "/i;

function describeFuzz(suite: PromiseSuite, envOf: (folder: string) => Promise<Record<string, string>>): void {
  let folder: string;
  let standIns: StandIns;
  let server: ServerProcess;
  let known: KnownData;
  const statuses: Record<string, number> = {};
  const rawOutcomes: Record<string, number> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rubadub-fuzz-'));
    standIns = await launchStandIns();
    server = await launchServer({ ...standIns.env, ...(await envOf(folder)) });
    known = await createKnownData();
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await server?.end();
    await standIns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Creates users, orders and deliveries for requests to refer to. */
  async function createKnownData(): Promise<KnownData> {
    const users: Pick<TestServer, 'createUser'> = {
      createUser: (role, options) => createTestUserAt(server, standIns.url, role, options),
    };
    const groups = [await createParticipants(users), await createParticipants(users)];
    const ids: string[] = [];
    for (const group of groups) {
      for (const status of ['Requested', 'Accepted', 'In_Progress', 'Completed', 'Cancelled'] as const) {
        const order = await createOrderInStatus(group, status);
        ids.push(order.id, ...order.deliveries.map(({ id }) => id));
      }
      const accepted = await createOrderInStatus(group, 'Accepted');
      await advanceDelivery(group.duber, findDeliveryId(accepted, 'Bud_To_Scrub'), 2);
      const question = { kind: 'question' as const, words: 'Where is my laundry?' };
      ids.push((await group.bud.api.createCase({ body: question })).id);
      for (const { user } of Object.values(group)) ids.push(user.id, ...user.addresses.map(({ id }) => id));
    }
    const all = groups.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]);
    const tokensOf = (role: string) => all.filter(({ user }) => user.role === role).map(({ token }) => token);
    const tokens = { Bud: tokensOf('Bud'), Scrub: tokensOf('Scrub'), Duber: tokensOf('Duber') };
    return { ids, emails: [...all.map(({ user }) => user.email), 'nobody@rubadub.test'], tokens };
  }

  /** What is wrong with an answer to any request. */
  function findProblem({ status, headers, text }: Reply, { method }: Request): string | undefined {
    if (status >= 500 || status < 200) return `status ${status}`;
    if (INTERNALS_PATTERN.test(status >= 400 ? text : '')) return 'internals in an error';
    // Node itself answers what it cannot parse as HTTP.
    if (!headers['x-request-id'] && status !== 400 && status !== 431) return 'no request id';
    if (status < 400 || method === 'HEAD') return undefined;
    const body = JSON.parse(text || 'null') as { statusCode?: number; message?: unknown } | null;
    return body?.statusCode === status && body.message ? undefined : `unexpected error shape: ${text.slice(0, 200)}`;
  }

  async function fuzzOnce(): Promise<void> {
    const hostileRate = HOSTILE_RATES[Math.floor(suite.random() * HOSTILE_RATES.length)] as number;
    const request = generateRequest(createFuzzOptions(suite.random, known, hostileRate), known);
    let reply = await send(server.url, request).catch((error: unknown) => error as Error);
    // A busy machine answers 503 once; a bug answers it every time.
    for (let retries = 0; retries < 3 && 'status' in reply && reply.status === 503; retries += 1) {
      await setTimeout(1_000);
      reply = await send(server.url, request).catch((error: unknown) => error as Error);
    }
    const problem = reply instanceof Error ? String(reply) : findProblem(reply, request);
    if (problem) expect.fail(`${problem}\n${formatRequest(request)}\n${server.log.slice(-2).join('\n')}`);
    const status = (reply as Reply).status;
    statuses[status] = (statuses[status] ?? 0) + 1;
    suite.countCases();
  }

  const formatRequest = ({ method, path, headers, body }: Request) =>
    `${method} ${path.slice(0, 500)}\n${JSON.stringify(headers)}\n${body?.toString('utf8').slice(0, 1_000) ?? ''}`;

  test('answers every request without a 5xx and reports errors in one shape', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    let remaining = suite.cases;
    const lane = async () => {
      while (remaining-- > 0) await fuzzOnce();
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    for (const [status, count] of Object.entries(statuses)) suite.recordFigure(`answered ${status}`, count);
    // Enough requests were valid, and enough were not.
    expect(statuses[200]).toBeGreaterThan(suite.cases / 20);
    expect(statuses[400]).toBeGreaterThan(suite.cases / 20);
  });

  /** Requests that change nothing that lasts, as bytes. */
  const rawRequests = (): Buffer[] => {
    const [token = ''] = known.tokens.Bud;
    return [
      rawJsonRequest('POST', '/api/scrub-orders/calculate-price', { loadSize: 'Small' }, token),
      rawJsonRequest('POST', '/api/profile', { fullname: 'Ada Raw' }, token),
      rawJsonRequest('POST', '/api/auth/login', { email: 'nobody@rubadub.test', password: PASSWORD }, token),
    ];
  };

  async function sendRawOnce({ bytes, isAll }: RawBytes): Promise<void> {
    const { status, text } = await sendRaw(server.url, bytes, { isAll });
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const isComplete = body !== '' && !bytes.toString('latin1').startsWith('HEAD');
    const isOk =
      status === undefined ||
      (status < 500 &&
        (status < 400 || !isComplete || (body.includes(`"statusCode":${status},`) && !INTERNALS_PATTERN.test(body))));
    if (!isOk) expect.fail(`${bytes.toString('latin1').slice(0, 1_000)}\n→ ${head}\n\n${body.slice(0, 500)}`);
    const answer = status === undefined ? 'closed without an answer' : `answered ${status}`;
    rawOutcomes[answer] = (rawOutcomes[answer] ?? 0) + 1;
    suite.countCases();
  }

  test('answers or closes every connection, whatever bytes arrive', { timeout: TEST_TIMEOUT_MS }, async () => {
    const valid = rawRequests();
    const firstLine = server.log.length;
    const random = Array.from({ length: suite.cases / 10 }, () => generateRawBytes(suite.random, valid));
    // One request in CI and all of them at night, cut at every byte.
    const cut = valid
      .slice(0, Math.ceil(suite.cases / 20_000))
      .flatMap((bytes) => Array.from(bytes, (_, end) => ({ bytes: bytes.subarray(0, end), isAll: true })));
    const queue = [...random, ...cut];
    suite.expectCases(queue.length);
    const lane = async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await sendRawOnce(next);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    for (const [answer, count] of Object.entries(rawOutcomes)) suite.recordFigure(`raw bytes: ${answer}`, count);
    expect(server.log.slice(firstLine).filter((line) => /"level":[56]0|"stack"|node_modules/.test(line))).toEqual([]);
  });

  test('still serves users afterwards and has logged no secrets', async () => {
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

describePromise('fuzz-postgres', (suite) =>
  describeFuzz(suite, async (folder) => ({ DATABASE_URL: await createTestDatabase(), DATA_DIR: folder })),
);
describePromise('fuzz-embedded', (suite) => describeFuzz(suite, async (folder) => ({ DATA_DIR: folder })));
