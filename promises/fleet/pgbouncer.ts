import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { aptInstall, canAptGet } from '../../scripts/install.ts';
import { findTestPort } from '../../testing/ports.ts';
import { createStop } from './stopProgram.ts';

export type PgBouncer = {
  /** The URL of the database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
};

const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLE_INI = join(ROOT, 'deploy', 'pgbouncer.ini');
const READY_ATTEMPTS = 2_000;

/** A program to start, with the arguments before its own. */
export type Program = readonly [command: string, ...args: string[]];

/**
 * The command in the variable PGBOUNCER, the installed PgBouncer, or the distribution's. Undefined when there is none and it
 * cannot be installed.
 */
export function findPgBouncer(): Program | undefined {
  const [named, ...rest] = (process.env.PGBOUNCER ?? '').split(' ');
  if (named) return [named, ...rest];
  const paths = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];
  const find = () => paths.find((path) => existsSync(path));
  if (!find() && canAptGet()) aptInstall('pgbouncer');
  const path = find();
  return path === undefined ? undefined : [path];
}

export function versionOf([command, ...args]: Program): string {
  const output = execFileSync(command, [...args, '--version'], { encoding: 'utf8' });
  return /PgBouncer (\d+\.\d+)/.exec(output)?.[1] ?? 'unknown';
}

/** Whether PgBouncer follows prepared statements, as 1.21 and newer do. */
export function keepsStatements(program: Program): boolean {
  const [major = 0, minor = 0] = versionOf(program).split('.').map(Number);
  return major > 1 || minor >= 21;
}

/** Starts PgBouncer with deploy/pgbouncer.ini, changed by `edit`, in front of a PostgreSQL database. */
export async function startPgBouncer(
  program: Program,
  databaseUrl: string,
  edit: (ini: string) => string = (ini) => ini,
): Promise<PgBouncer> {
  const database = new URL(databaseUrl);
  const name = decodeURIComponent(database.pathname.slice(1));
  const home = mkdtempSync(join(tmpdir(), 'rubadub-pgbouncer-'));
  const port = await findTestPort();
  const users = join(home, 'userlist.txt');
  writeFileSync(users, `"${database.username}" "${decodeURIComponent(database.password)}"\n`);
  const ini = readFileSync(EXAMPLE_INI, 'utf8')
    .replace(
      'rubadub = host=127.0.0.1 port=5432 dbname=rubadub',
      `${name} = host=127.0.0.1 port=${database.port} dbname=${name}`,
    )
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/etc/pgbouncer/userlist.txt', users)
    // As the file says.
    .replace(keepsStatements(program) ? /^;(?=max_prepared_statements)/m : /$^/, '');
  const file = join(home, 'pgbouncer.ini');
  writeFileSync(file, `${edit(ini)}\nunix_socket_dir =\n`);
  const user = unprivilegedUser();
  for (const path of user ? [home, users, file] : []) chownSync(path, user?.uid ?? 0, user?.gid ?? 0);
  const [command, ...args] = program;
  const child = spawn(command, [...args, file], { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const stop = createStop(child, home);
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    if (child.exitCode !== null) break;
    if (await canConnect(port)) {
      database.port = String(port);
      return { url: database.href, stop };
    }
    await setTimeout(50);
  }
  await stop();
  throw new Error(`PgBouncer did not start:\n${output}`);
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** PgBouncer does not run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}
