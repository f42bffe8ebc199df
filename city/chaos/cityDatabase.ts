import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type KillablePostgres, startKillablePostgres } from '../../promises/killablePostgres.ts';
import { findPostgresProgram } from '../../scripts/postgres.ts';
import { queryAt } from '../../testing/databaseConnection.ts';

const run = promisify(execFile);

/** The PostgreSQL of a city, and a replica that can take its place. */
export type CityDatabase = {
  /** The one that takes writes. */
  primary(): KillablePostgres;
  /** Whether there is a replica that was not promoted yet. */
  canFailOver(): boolean;
  /** Kills the primary and promotes the replica. */
  failOver(): Promise<void>;
  /** The URL of the database at the first primary. */
  readonly url: string;
  stop(): Promise<void>;
};

/** A replica that has lost its primary tries again so soon that no commit waits for long. */
const REPLICA_SETTINGS = { wal_retrieve_retry_interval: '100ms' };
const IS_IN_SYNC = "select sync_state = 'sync' as yes from pg_stat_replication";
const ATTEMPTS = 2_000;
const ATTEMPT_MS = 10;

/** The program that copies a running PostgreSQL. Undefined where only the server is installed. */
export const findBackupProgram = () => findPostgresProgram('pg_basebackup');

/** Starts PostgreSQL with an empty database. With a `backupProgram` it has a synchronous replica. */
export async function startCityDatabase(name: string, backupProgram?: string): Promise<CityDatabase> {
  const home = mkdtempSync(join(tmpdir(), 'rubadub-city-'));
  // PostgreSQL runs as another user when this is root.
  chmodSync(home, 0o755);
  const started: KillablePostgres[] = [];
  const stop = async () => {
    // The replica first: the primary waits for nobody when it stops.
    for (const one of started.toReversed()) await one.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const first = await startKillablePostgres({ folder: join(home, 'primary') });
    started.push(first);
    const url = await first.createDatabase(name);
    let replica: KillablePostgres | undefined;
    if (backupProgram !== undefined) {
      replica = await startReplica(first, { home, program: backupProgram });
      started.push(replica);
    }
    let primary = first;
    return {
      primary: () => primary,
      canFailOver: () => replica !== undefined && primary === first,
      async failOver() {
        if (replica === undefined) throw new Error('there is no replica');
        // After a crash, readers see commits that the replica does not have yet. No manager would promote it then.
        await waitUntilTrue(first.url, IS_IN_SYNC);
        await first.kill();
        await promote(replica);
        primary = replica;
      },
      url,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Copies a running PostgreSQL, and starts the copy so that each commit waits for it. */
async function startReplica(
  primary: KillablePostgres,
  { home, program }: { readonly home: string; readonly program: string },
): Promise<KillablePostgres> {
  const folder = join(home, 'replica');
  const { port, password } = new URL(primary.url);
  mkdirSync(folder, { mode: 0o700 });
  const connection = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-w'];
  const options = ['-D', join(folder, 'data'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  await run(program, [...connection, ...options], { env: { PGPASSWORD: decodeURIComponent(password) } });
  writeFileSync(join(folder, 'password'), decodeURIComponent(password), { mode: 0o600 });
  const { uid, gid } = statSync(join(home, 'primary', 'data'));
  if (process.getuid?.() === 0) await run('chown', ['-R', `${uid}:${gid}`, folder]);
  const replica = await startKillablePostgres({ folder, settings: REPLICA_SETTINGS });
  try {
    await queryAt(primary.url, "alter system set synchronous_standby_names = '*'");
    await queryAt(primary.url, 'select pg_reload_conf()');
    await waitUntilTrue(primary.url, IS_IN_SYNC);
    return replica;
  } catch (error) {
    await replica.stop();
    throw error;
  }
}

async function promote({ url }: KillablePostgres): Promise<void> {
  await queryAt(url, 'select pg_promote(false)');
  await waitUntilTrue(url, 'select not pg_is_in_recovery() as yes');
}

async function waitUntilTrue(url: string, question: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // It may still be starting after a crash.
    const [row] = await queryAt<{ yes: boolean }>(url, question).catch(() => []);
    if (row?.yes === true) return;
    await sleep(ATTEMPT_MS);
  }
  throw new Error(`PostgreSQL never says yes to: ${question}`);
}
