import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ProductServer = {
  /** Where the app is, without a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

const ROOT = join(import.meta.dirname, '..');
const READY_TEXT = 'Rubadub is up';

/** Starts the real product on loopback, with the sandbox and a database of its own: empty, or with the demo in it. */
export async function openProductServer({ demo = 'off' }: { demo?: 'on' | 'off' } = {}): Promise<ProductServer> {
  const port = await findFreePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'rubadub-journeys-'));
  const url = `http://127.0.0.1:${port}`;
  const env = { ...pickEnv('PATH', 'HOME', 'TMPDIR'), PORT: String(port), DATA_DIR: dataDir, DEMO: demo };
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/start.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = once(server, 'exit');
  const close = async () => {
    server.kill('SIGTERM');
    const [code] = await end;
    rmSync(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the server ended with ${code}`);
  };
  await waitUntilUp(server);
  return { url, close };
}

/** Waits for the block that a start prints once everything answers; fails with what it said when it ends before. */
function waitUntilUp(server: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    server.stdout?.on('data', (chunk) => {
      said += chunk;
      if (said.includes(READY_TEXT)) resolve();
    });
    server.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was up:\n${said}`)));
  });
}

// The settings of whoever runs the journeys stay outside: a DATABASE_URL or a real SMTP_URL must not be used by accident.
function pickEnv(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was free');
  return address.port;
}
