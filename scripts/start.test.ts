import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../contract/client.ts';
import { createOperatorClient } from '../contract/operator/client.ts';
import { ROLES } from '../domain/accounts.ts';
import { DAY_MS } from '../domain/durations.ts';
import { findTestPort } from '../testing/ports.ts';
import { createTestDatabase } from '../testing/testServer.ts';
import { waitFor, waitUntil } from '../testing/waits.ts';
import { DEMO_OPERATOR, DEMO_PASSWORD, primaryAccountOf } from './demo/people.ts';
import { readSeed } from './demo/seedState.ts';

let dataDir: string;
let running: ChildProcess[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'rubadub-start-'));
  running = [];
});

afterEach(async () => {
  for (const child of running) await stop(child, 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

type Env = Record<string, string>;

const SCRIPT = join(import.meta.dirname, 'start.ts');
// The compile cache that scripts/run sets halves the time that each process spends on loading.
const { PATH = '', NODE_COMPILE_CACHE = join(import.meta.dirname, '..', '.cache', 'compiled') } = process.env;

// Without the stand-ins for maps, which draw a city at every start.
const NO_MAP_STAND_INS = { MAPBOX_TOKEN: 'pk.1', MAP_STYLE_URL: 'https://tiles.example.org/style.json' };

/** Does what `npm start` does, without the web app, which does not affect the start. */
function launch(env: Env): ChildProcess {
  const child = spawn(process.execPath, ['--liftoff-only', SCRIPT, '--api'], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, PORT: '0', DEMO: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

async function waitUntilUp(child: ChildProcess): Promise<{ url: string; printed: string }> {
  const printed: string[] = [];
  child.stderr?.resume();
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      printed.push(line);
      if (line.includes('Ctrl-C')) break;
    }
  }
  const all = printed.join('\n');
  return { url: /App +(\S+)/.exec(all)?.[1] ?? 'not up', printed: all };
}

/** The ids of the processes that a process has started and that have not ended. */
function listChildren({ pid }: ChildProcess): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return table
    .map((line) => line.trim().split(/ +/))
    .filter(([, parent, state]) => parent === String(pid) && !state?.startsWith('Z'))
    .map(([child]) => Number(child));
}

/** The lines of a stream so far. */
function readLines(stream: Readable | null): string[] {
  const lines: string[] = [];
  if (stream) createInterface({ input: stream }).on('line', (line) => lines.push(line));
  return lines;
}

/** Everything in a folder that other users of this machine may read or change. */
function listOpenPaths(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...entries].filter((name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0);
}

async function readStartError(env: Env): Promise<string> {
  const child = launch(env);
  const [stderr, [code]] = await Promise.all([
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit'),
    child.stdout?.resume(),
  ]);
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr;
}

/** The orders, the sign-ups and the payouts of the demo lie in the past that they belong to. */
async function expectEightWeeks(api: (token?: string) => Client, password: string): Promise<void> {
  const { authToken, user } = await api().login({ body: { email: 'scrub@rubadub.test', password } });
  const scrub = api(authToken);
  const { items } = (await scrub.listOrders({ query: { pageSize: '100' } })).data;
  const now = Date.now();
  const steps = items.flatMap(({ statusHistory }) => statusHistory.map(({ createdAt }) => Date.parse(createdAt)));
  expect(Math.max(...steps)).toBeLessThanOrEqual(now);
  expect(Math.min(...steps)).toBeLessThan(now - 49 * DAY_MS);
  expect(new Set(steps.map((at) => new Date(at).toDateString())).size).toBeGreaterThan(12);
  expect(user.id).toBe(items[0]?.scrub.id);
  const { payouts, weeks } = await scrub.earnings();
  expect(payouts.length).toBeGreaterThan(3);
  expect(payouts.every(({ status }) => status === 'sent')).toBe(true);
  expect(weeks.filter(({ earned }) => earned > 0).length).toBeGreaterThan(3);
}

describe('a failed start prints one line', () => {
  it('when a variable is invalid', async () => {
    expect(await readStartError({ DEMO: 'perhaps' })).toBe('rubadub: DEMO is "perhaps", but must be on, off or live\n');
  });

  it('when the port is taken', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as { port: number };
    expect(await readStartError({ PORT: String(port) })).toContain(`PORT ${port} of 127.0.0.1 is taken`);
    otherServer.close();
  });

  it('when the host is not an address of this machine', async () => {
    const stderr = await readStartError({ HOST: '192.0.2.1', SANDBOX: 'on' });
    expect(stderr).toContain('HOST 192.0.2.1 is not an address of this machine');
  });

  it('when the data directory cannot be created or is a file', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    expect(await readStartError({ DATA_DIR: file })).toContain(`DATA_DIR ${file} cannot be read and written`);
    expect(await readStartError({ DATA_DIR: join(file, 'below') })).toContain('cannot be read and written: ENOTDIR');
    if (process.platform === 'linux') expect(await readStartError({ DATA_DIR: '/proc/none' })).toContain('ENOENT');
  });

  it('when the embedded database cannot be opened', async () => {
    writeFileSync(join(dataDir, 'pglite'), 'not a folder', { mode: 0o600 });
    expect(await readStartError({})).toContain(`DATA_DIR ${dataDir} has no embedded database that opens`);
  });

  it('when the database server cannot be reached, without printing its password', async () => {
    const port = await findTestPort();
    const stderr = await readStartError({ DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/rubadub` });
    expect(stderr).toContain('DATABASE_URL leads to no PostgreSQL that can be used');
    expect(stderr).not.toContain('hunter2');
  });

  it('when the database does not exist', async () => {
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = '/nowhere';
    expect(await readStartError({ DATABASE_URL: url.href })).toContain('database "nowhere" does not exist');
  });

  it('when WORKERS is above 1 and the processes would not share a database', async () => {
    expect(await readStartError({ WORKERS: '2' })).toBe(
      'rubadub: WORKERS is 2, but DATABASE_URL is not set: processes share PostgreSQL and real services\n',
    );
  });

  it('when one of several processes does not start', async () => {
    const port = await findTestPort();
    const stderr = await readStartError({
      ...{ SQUARE_ACCESS_TOKEN: 'EAAA', SQUARE_APPLICATION_ID: 'sandbox-1', SQUARE_LOCATION_ID: 'L1', WORKERS: '2' },
      ...{ SMTP_URL: 'smtp://127.0.0.1:1', DATABASE_URL: `postgres://me@127.0.0.1:${port}/rubadub` },
    });
    expect(stderr).toContain('DATABASE_URL leads to no PostgreSQL that can be used');
  });

  it('when another process uses the data directory, and that process keeps running', async () => {
    const first = launch(NO_MAP_STAND_INS);
    const { url } = await waitUntilUp(first);
    expect(await readStartError({})).toContain(`DATA_DIR ${dataDir} is in use by process ${first.pid}`);
    expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
  });
});

describe('a successful start', () => {
  it('prints its URLs and stand-ins, and exits with 0 on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const child = launch({});
      const { url, printed } = await waitUntilUp(child);
      expect(printed).toContain(`App         ${url}`);
      expect(printed).toContain(`${url}/sandbox/mail`);
      expect(printed).toContain(`${url}/api/docs`);
      expect(printed).toContain('in use for card payments, address search, map, mail');
      expect(printed).not.toContain('Sign in as');
      expect(printed).toContain(`${url}/#/operator/join?token=`);
      expect((await fetch(`${url}/api/docs`)).status).toBe(200);
      expect((await fetch(`${url}/sandbox/mail`)).status).toBe(200);
      expect(await stop(child, signal)).toBe(0);
    }
  });

  // Most of it is Node with our code. WebAssembly never gives memory back, so what PostgreSQL takes stays.
  it.runIf(process.platform === 'linux')('takes less than 360 MB to start on the embedded database', async () => {
    const child = launch(NO_MAP_STAND_INS);
    await waitUntilUp(child);
    const [, peakKb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    expect(Number(peakKb) / 1024).toBeLessThan(360);
  });

  it('serves no stand-ins if the real services are configured', async () => {
    const child = launch({
      SQUARE_ACCESS_TOKEN: 'EAAA',
      SQUARE_APPLICATION_ID: 'sandbox-1',
      SQUARE_LOCATION_ID: 'L1',
      ...NO_MAP_STAND_INS,
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    const { url, printed } = await waitUntilUp(child);
    expect(printed).toContain('none in use');
    expect(printed).not.toContain('Inbox');
    for (const path of ['', '/square', '/places', '/map/style.json', '/mail/messages']) {
      expect((await fetch(`${url}/sandbox${path}`)).status).toBe(404);
    }
  });

  it('with WORKERS=2 answers with two processes, replaces the process that is killed, and ends both on SIGTERM', async () => {
    const child = launch({
      ...{ SQUARE_ACCESS_TOKEN: 'EAAA', SQUARE_APPLICATION_ID: 'sandbox-1', SQUARE_LOCATION_ID: 'L1' },
      ...{ ...NO_MAP_STAND_INS, SMTP_URL: 'smtp://127.0.0.1:1' },
      ...{ DATABASE_URL: await createTestDatabase(), WORKERS: '2', DRAIN_S: '0' },
    });
    const lines = readLines(child.stderr);
    const { url, printed } = await waitUntilUp(child);
    expect(printed).toContain('/#/operator/join?token=');
    const workers = listChildren(child);
    expect(workers).toHaveLength(2);
    // Each new connection goes to the next process.
    const isReady = async () =>
      (await fetch(`${url}/api/health/ready`, { headers: { connection: 'close' } })).status === 200;
    for (let request = 0; request < 8; request += 1) expect(await isReady()).toBe(true);
    process.kill(workers[0] ?? 0, 'SIGKILL');
    await waitUntil(() => lines.some((line) => line.includes(`process ${workers[0]} has ended (SIGKILL)`)));
    expect(await isReady()).toBe(true);
    await waitUntil(() => listChildren(child).length === 2);
    const replaced = listChildren(child);
    expect(replaced).toContain(workers[1]);
    expect(replaced).not.toContain(workers[0]);
    expect(await stop(child, 'SIGTERM')).toBe(0);
    for (const pid of replaced) expect(() => process.kill(pid, 0), `${pid}`).toThrow('ESRCH');
  });

  it('adds the demo data once, with a password of its own where others can reach it, and continues after a kill', {
    timeout: 300_000,
  }, async () => {
    const port = await findTestPort();
    const first = launch({ ...NO_MAP_STAND_INS, DEMO: 'on', PORT: String(port) });
    await waitFor(async () => {
      const headers = { authorization: 'Bearer any' };
      const response = await fetch(`http://127.0.0.1:${port}/sandbox/square/v2/payments`, { headers });
      const { payments = [] } = (await response.json()) as { payments?: unknown[] };
      expect(payments.length).toBeGreaterThan(4);
    });
    await stop(first, 'SIGKILL');
    expect(readSeed(dataDir).state).toBe('begun');
    expect(listOpenPaths(dataDir)).toEqual([]);

    // Earlier releases left the folder and its files open to other users of the machine.
    execFileSync('chmod', ['-R', 'go+rX', dataDir]);
    // Others can reach this one, so the demo people of the first start get another password, and so do new ones.
    const open = { SANDBOX: 'on', PUBLIC_URL: 'http://laundry.example', PORT: String(port) };
    const second = launch({ ...NO_MAP_STAND_INS, DEMO: 'on', ...open });
    const warnings = readLines(second.stderr);
    const { printed } = await waitUntilUp(second);
    // It comes through another pipe than what is printed.
    await waitUntil(() => warnings.some((line) => line.includes('open to other users')));
    expect(listOpenPaths(dataDir)).toEqual([]);
    expect(readSeed(dataDir).state).toBe('done');
    const api = (token?: string) => createClient(`http://127.0.0.1:${port}/api`, () => token);
    const email = /\bbud@\S+/.exec(printed)?.[0] ?? '';
    const password = /password (\S+)/.exec(printed)?.[1] ?? '';
    const emails = ROLES.map((role) => primaryAccountOf(role)?.email ?? '');
    const signIns = emails.map((one) => api().login({ body: { email: one, password: DEMO_PASSWORD } }));
    for (const answer of await Promise.allSettled(signIns)) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { statusCode: 401 } });
    }
    const { authToken } = await api().login({ body: { email, password } });
    const before = await api(authToken).budDashboard();
    expect(before.totalActiveScrubOrders).toBe(1);
    expect(before.totalCompletedScrubOrders).toBeGreaterThan(4);
    // The password is a secret here, so nobody signs in with one tap.
    const config = await api().readConfig();
    expect(config).not.toHaveProperty('demoAccounts');
    expect(config).not.toHaveProperty('demoOperator');
    const operators = createOperatorClient({ host: `http://127.0.0.1:${port}/api`, token: () => undefined });
    const asOperator = (one: string) => ({ body: { email: DEMO_OPERATOR.email, password: one } });
    await expect(operators.operatorSignIn(asOperator(DEMO_PASSWORD))).rejects.toMatchObject({ statusCode: 401 });
    const { session } = await operators.operatorSignIn(asOperator(password));
    expect(session.isDemo).toBe(true);
    expect(printed).toContain(`Operator    ${session.operator.email}  ${open.PUBLIC_URL}/#/operator\n`);
    await expectEightWeeks(api, password);

    // A kill loses no data, and the next start does not add the demo data again.
    await stop(second, 'SIGKILL');
    const live = launch({ ...NO_MAP_STAND_INS, DEMO: 'live' });
    const lines = readLines(live.stderr);
    const third = await waitUntilUp(live);
    expect(third.printed).toContain('Neighbours  awake');
    await waitUntil(() => readSeed(dataDir).liveDubers === 'done');
    expect(third.printed).toContain(`${email.padEnd(22)}password ${password}\n`);
    expect(await createClient(`${third.url}/api`, () => authToken).budDashboard()).toEqual(before);
    expect(await createClient(`${third.url}/api`).readConfig()).not.toHaveProperty('demoAccounts');
    expect(await stop(live, 'SIGTERM')).toBe(0);
    // A machine that stands still for seconds finds its own mail server slow, and says so.
    expect(lines.filter((line) => !/does not answer|will be retried|do not arrive/.test(line)).join('\n')).toBe('');
    for (const command of ['ledgerCheck', 'talliesCheck']) {
      const script = join(import.meta.dirname, '..', 'server', 'commands', `${command}.ts`);
      const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir };
      // Fails when the check finds something.
      execFileSync(process.execPath, ['--liftoff-only', script], { env });
    }
  });
});
