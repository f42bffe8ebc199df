import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, createClient } from '../contract/client.ts';
import { BASE_ENV, NODE_FLAGS } from '../testing/childProcesses.ts';

export type Env = Readonly<Record<string, string>>;

/** A child process: a server, or the stand-ins. */
export type Process = {
  readonly pid: number;
  readonly url: string;
  /** The lines it has written to stderr; a server writes its log there. */
  readonly log: readonly string[];
  isRunning(): boolean;
  /** Stops it and returns its exit code; null when the signal killed it. The log is complete then. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

export type ServerProcess = Process & {
  /** The API's base address. */
  readonly apiUrl: string;
  api(token?: string): Client;
};

const ROOT = join(import.meta.dirname, '..');
const SCRIPTS_DIR = join(ROOT, 'scripts');
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A process that exited before it was ready; the message is its output. */
export class LaunchFailed extends Error {
  override name = 'LaunchFailed';
}

/**
 * Starts the product as `npm start` does, without the web app, on a free loopback port. Without a DATABASE_URL it uses the
 * embedded database in DATA_DIR. With a PUBLIC_URL it is called at its PORT. Throws LaunchFailed when the process exits instead.
 */
export async function launchServer(env: Env): Promise<ServerProcess> {
  const defaults = { PORT: '0', DEMO: 'off', RATE_LIMIT_SCALE: '1000', DRAIN_S: '0' };
  const { match, ...process } = await launch('start.ts', ['--api'], { ...defaults, ...env }, /App +(\S+)/);
  const url = env.PUBLIC_URL === undefined ? (match[1] ?? '') : `http://127.0.0.1:${env.PORT}`;
  const apiUrl = `${url}/api`;
  return { ...process, url, apiUrl, api: (token) => createClient(apiUrl, () => token) };
}

export type StandIns = Process & {
  /** The variables that make a server use them. */
  readonly env: Env;
  close(): Promise<void>;
};

/** Starts only the stand-ins, as `npm run sandbox` does, so that several servers can share them. */
export async function launchStandIns(more: Env = {}): Promise<StandIns> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rubadub-promises-'));
  const { match, printed, ...process } = await launch(
    'sandbox.ts',
    [],
    { PORT: '0', DATA_DIR: dataDir, ...more },
    /Payments +(\S+)\/sandbox\/square/,
  );
  const variables = printed.flatMap((line) => [...line.matchAll(/^ {2}([A-Z_]+)=(\S+)$/g)]);
  return {
    ...process,
    url: match[1] ?? '',
    env: Object.fromEntries(variables.map(([, name, value]) => [name, value])),
    close: async () => {
      await process.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function launch(script: string, args: readonly string[], env: Env, readyPattern: RegExp) {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(SCRIPTS_DIR, script), ...args], {
    env: { ...BASE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exited = once(child, 'close').then(() => void running.delete(child));
  const [log, printed]: [string[], string[]] = [[], []];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  // Keeps reading after the process is ready: a full pipe would block it.
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed.push(line);
      if (line.includes('Ctrl-C')) resolve();
    });
  });
  await Promise.race([ready, once(child, 'close')]);
  const match = readyPattern.exec(printed.join('\n'));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (isRunning()) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  if (match === null || child.pid === undefined) {
    await end('SIGKILL');
    throw new LaunchFailed(log.join('\n') || printed.join('\n'));
  }
  return { pid: child.pid, match, printed, log, isRunning, end };
}
