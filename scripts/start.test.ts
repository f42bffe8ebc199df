import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../contract/client.ts';
import { readSeedState } from './demo/seed.ts';
import { probePort } from './ports.ts';

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

// As `npm start` does, but without the screens, which have nothing to do with how a start goes.
function launch(env: Env): ChildProcess {
  const inherited = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0', DEMO: 'off' };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start.ts'), '--api'], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
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

async function readStartError(env: Env): Promise<string> {
  const child = launch(env);
  const [said, [code]] = await Promise.all([
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit'),
    child.stdout?.resume(),
  ]);
  expect(code).toBe(1);
  expect(said.trimEnd().split('\n')).toHaveLength(1);
  return said;
}

describe('a start that cannot go on says so in one line', () => {
  it('when a variable is wrong', async () => {
    expect(await readStartError({ DEMO: 'perhaps' })).toBe('rubadub: DEMO is "perhaps", but must be on or off\n');
  });

  it('when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    expect(await readStartError({ PORT: String(port) })).toContain(`PORT ${port} of 127.0.0.1 is taken`);
    other.close();
  });

  it('when the host is not one of this machine', async () => {
    const said = await readStartError({ HOST: '192.0.2.1', SANDBOX: 'on' });
    expect(said).toContain('HOST 192.0.2.1 is not an address of this machine');
  });

  it('when the data folder cannot be one', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    expect(await readStartError({ DATA_DIR: file })).toContain(`DATA_DIR ${file} cannot be read and written`);
    expect(await readStartError({ DATA_DIR: join(file, 'below') })).toContain('cannot be read and written: ENOTDIR');
    if (process.platform === 'linux') expect(await readStartError({ DATA_DIR: '/proc/none' })).toContain('ENOENT');
  });

  it('when the embedded database is broken', async () => {
    writeFileSync(join(dataDir, 'pglite'), 'not a folder');
    expect(await readStartError({})).toContain(`DATA_DIR ${dataDir} has no embedded database that opens`);
  });

  it('when nobody listens at the database’s address, and the password is not repeated', async () => {
    const port = await probePort(0);
    const said = await readStartError({ DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/rubadub` });
    expect(said).toContain('DATABASE_URL leads to no PostgreSQL that can be used');
    expect(said).not.toContain('hunter2');
  });

  it('when the database is not there', async () => {
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = '/nowhere';
    expect(await readStartError({ DATABASE_URL: url.href })).toContain('database "nowhere" does not exist');
  });

  it('when another process has the data folder, which goes on undisturbed', async () => {
    const first = launch({});
    const { url } = await waitUntilUp(first);
    expect(await readStartError({})).toContain(`DATA_DIR ${dataDir} is in use by process ${first.pid}`);
    expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
  });
});

describe('a start that goes well', () => {
  it('prints where everything is and what is played, and ends with 0 on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const child = launch({});
      const { url, printed } = await waitUntilUp(child);
      expect(printed).toContain(`App         ${url}`);
      expect(printed).toContain(`${url}/sandbox/mail`);
      expect(printed).toContain(`${url}/api/docs`);
      expect(printed).toContain('in use for card payments, address search, map, mail');
      expect(printed).not.toContain('Sign in as');
      expect((await fetch(`${url}/api/docs`)).status).toBe(200);
      expect((await fetch(`${url}/sandbox/mail`)).status).toBe(200);
      expect(await stop(child, signal)).toBe(0);
    }
  });

  it('serves no stand-in when the real ones are configured', async () => {
    const child = launch({
      SQUARE_ACCESS_TOKEN: 'EAAA',
      SQUARE_APPLICATION_ID: 'sandbox-1',
      SQUARE_LOCATION_ID: 'L1',
      MAPBOX_TOKEN: 'pk.1',
      MAP_STYLE_URL: 'https://tiles.example.org/style.json',
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    const { url, printed } = await waitUntilUp(child);
    expect(printed).toContain('none in use');
    expect(printed).not.toContain('Inbox');
    for (const path of ['', '/square', '/places', '/map/style.json', '/mail/messages']) {
      expect((await fetch(`${url}/sandbox${path}`)).status).toBe(404);
    }
  });

  it('fills the demo once; one that is killed in the middle is complete after the next start', {
    timeout: 180_000,
  }, async () => {
    const port = await probePort(0);
    const first = launch({ DEMO: 'on', PORT: String(port) });
    await vi.waitFor(
      async () => {
        const headers = { authorization: 'Bearer any' };
        const answer = await fetch(`http://127.0.0.1:${port}/sandbox/square/v2/payments`, { headers });
        const { payments = [] } = (await answer.json()) as { payments?: unknown[] };
        expect(payments.length).toBeGreaterThan(4);
      },
      { timeout: 60_000, interval: 10 },
    );
    await stop(first, 'SIGKILL');
    expect(readSeedState(dataDir)).toBe('begun');

    const second = launch({ DEMO: 'on' });
    const { url, printed } = await waitUntilUp(second);
    expect(readSeedState(dataDir)).toBe('done');
    const api = (token?: string) => createClient(`${url}/api`, () => token);
    const email = /\bbud@\S+/.exec(printed)?.[0] ?? '';
    const { authToken } = await api().login({ body: { email, password: /password (\S+)/.exec(printed)?.[1] ?? '' } });
    const before = await api(authToken).budDashboard();
    expect(before).toMatchObject({ totalScrubOrders: 6, totalCompletedScrubOrders: 2, totalActiveScrubOrders: 1 });

    // Killed without a word, it has forgotten nothing, and does not fill in the demo again.
    await stop(second, 'SIGKILL');
    const third = await waitUntilUp(launch({ DEMO: 'on' }));
    expect(await createClient(`${third.url}/api`, () => authToken).budDashboard()).toEqual(before);
  });
});
