import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, createClient } from '../contract/client.ts';

export type Env = Readonly<Record<string, string>>;

/** A process that this one has started: a server, or the stand-ins. */
export type Process = {
  readonly pid: number;
  /** Where it listens. */
  readonly url: string;
  /** What it has written on stderr, a line each: of a server that is its log. */
  readonly log: readonly string[];
  isRunning(): boolean;
  /** Ends it and gives its exit code; null when the signal has ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

export type ServerProcess = Process & {
  /** The API's base address. */
  readonly apiUrl: string;
  api(token?: string): Client;
};

const SCRIPTS_DIR = join(import.meta.dirname, '..', 'scripts');
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Why a process did not come up: what it said. */
export class LaunchFailed extends Error {
  override name = 'NotUp';
}

/**
 * Starts the product as `npm start` does, without the screens, on a free port of loopback. Without a DATABASE_URL the
 * embedded database in DATA_DIR. Throws NotUp when it ends instead.
 */
export async function launchServer(env: Env): Promise<ServerProcess> {
  const defaults = { PORT: '0', DEMO: 'off', RATE_LIMIT_SCALE: '1000' };
  const { found, ...process } = await launch('start.ts', ['--api'], { ...defaults, ...env }, /App +(\S+)/);
  const url = found[1] ?? '';
  const host = `${url}/api`;
  return { ...process, url, apiUrl: host, api: (token) => createClient(host, () => token) };
}

export type StandIns = Process & {
  /** What servers are to be started with to use them. */
  readonly env: Env;
  close(): Promise<void>;
};

/** Starts the stand-ins alone, as `npm run sandbox` does, for several servers to share. */
export async function launchStandIns(): Promise<StandIns> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rubadub-promises-'));
  const { found, printed, ...process } = await launch(
    'sandbox.ts',
    [],
    { PORT: '0', DATA_DIR: dataDir },
    /Payments +(\S+)\/sandbox\/square/,
  );
  const variables = printed.flatMap((line) => [...line.matchAll(/^ {2}([A-Z_]+)=(\S+)$/g)]);
  return {
    ...process,
    url: found[1] ?? '',
    env: Object.fromEntries(variables.map(([, name, value]) => [name, value])),
    close: async () => {
      await process.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function launch(script: string, args: readonly string[], env: Env, up: RegExp) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(SCRIPTS_DIR, script), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const gone = once(child, 'exit').then(() => void running.delete(child));
  const [log, printed]: [string[], string[]] = [[], []];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  // Reads on to the end, for a full pipe would stop the process.
  const said = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed.push(line);
      if (line.includes('Ctrl-C')) resolve();
    });
  });
  await Promise.race([said, once(child, 'close')]);
  const found = up.exec(printed.join('\n'));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (isRunning()) child.kill(signal);
    await gone;
    return child.exitCode;
  };
  if (found === null || child.pid === undefined) {
    await end('SIGKILL');
    throw new LaunchFailed(log.join('\n') || printed.join('\n'));
  }
  return { pid: child.pid, found, printed, log, isRunning, end };
}
