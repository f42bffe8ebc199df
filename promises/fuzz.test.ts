import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carry, castOf, legOf, orderAt } from '../testing/orderSteps.ts';
import { newDatabase, PASSWORD, type World } from '../testing/testServer.ts';
import { diceOf, type Known, makeRequest, type Reply, type Request, send } from './fuzz.ts';
import { launchServer, launchStandIns, type Server, type StandIns } from './processes.ts';
import { PATIENCE_MS, promised, type Suite } from './promiseSuite.ts';
import { joinAt } from './serverPair.ts';

const AT_ONCE = 8;
/** From nearly right to mostly wrong. */
const WILDNESS = [0.02, 0.1, 0.3];

const OTHER_SIDE_SERVERS = /postgres|pglite|kysely|\bat \S+ \(|node_modules|syntax error|relation "/i;

function fuzz(suite: Suite, envOf: (folder: string) => Promise<Record<string, string>>): void {
  let folder: string;
  let standIns: StandIns;
  let server: Server;
  let known: Known;
  const statuses: Record<string, number> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rubadub-fuzz-'));
    standIns = await launchStandIns();
    server = await launchServer({ ...standIns.env, ...(await envOf(folder)) });
    known = await settle();
  }, PATIENCE_MS);
  afterAll(async () => {
    await server?.end();
    await standIns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Some people and some things of everything, to be named in requests. */
  async function settle(): Promise<Known> {
    const people = {
      join: (...[role, person]: Parameters<World['join']>) => joinAt(server, standIns.url, role, person),
    };
    const casts = [await castOf(people as World), await castOf(people as World)];
    const ids: string[] = [];
    for (const cast of casts) {
      for (const status of ['Requested', 'Accepted', 'In_Progress', 'Completed', 'Cancelled'] as const) {
        const order = await orderAt(cast, status);
        ids.push(order.id, ...order.deliveries.map(({ id }) => id));
      }
      await carry(cast.duber, legOf(await orderAt(cast, 'Accepted'), 'Bud_To_Scrub'), 2);
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
    if (OTHER_SIDE_SERVERS.test(status >= 400 ? text : '')) return 'internals in an error';
    // What Node cannot even read as HTTP never becomes a request of ours.
    if (!headers['x-request-id'] && status !== 400 && status !== 431) return 'no request id';
    if (status < 400 || method === 'HEAD') return undefined;
    const body = JSON.parse(text || 'null') as { statusCode?: number; message?: unknown } | null;
    return body?.statusCode === status && body.message ? undefined : `an error of another shape: ${text.slice(0, 200)}`;
  }

  async function fuzzOnce(): Promise<void> {
    const wildness = WILDNESS[Math.floor(suite.random() * WILDNESS.length)] as number;
    const request = makeRequest(diceOf(suite.random, known, wildness), known);
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
    suite.ran();
  }

  const describe = ({ method, path, headers, body }: Request) =>
    `${method} ${path.slice(0, 500)}\n${JSON.stringify(headers)}\n${body?.toString('utf8').slice(0, 1_000) ?? ''}`;

  test('is answered, with less than a 500 and in the one shape', { timeout: PATIENCE_MS }, async () => {
    let left = suite.cases;
    const lane = async () => {
      while (left-- > 0) await fuzzOnce();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    for (const [status, count] of Object.entries(statuses)) suite.figure(`answered ${status}`, count);
    // It was nearly right often enough to get past the shapes.
    expect(statuses[200]).toBeGreaterThan(suite.cases / 20);
    expect(statuses[400]).toBeGreaterThan(suite.cases / 20);
  });

  test('and afterwards everything is as it was', async () => {
    expect(server.isRunning()).toBe(true);
    expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200);
    const bud = await joinAt(server, standIns.url, 'Bud');
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
  promised('fuzz-postgres', (suite) =>
    fuzz(suite, async (folder) => ({ DATABASE_URL: await newDatabase(), DATA_DIR: folder })),
  );
}
promised('fuzz-embedded', (suite) => fuzz(suite, async (folder) => ({ DATA_DIR: folder })));
