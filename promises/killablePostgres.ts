import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type Postgres, type PostgresOptions, startPostgres } from '../scripts/postgres.ts';
import { queryAt } from '../testing/databaseConnection.ts';

/** A PostgreSQL for one suite, which can kill, pause and fill it without affecting others. */
export type KillablePostgres = Postgres & {
  /** Kills all its processes at once with SIGKILL and waits until they have exited. */
  kill(): Promise<void>;
  /** Kills one session, after which PostgreSQL drops all others and recovers. False when nobody was connected. */
  killSession(): boolean;
  /** Suspends all its processes: connections stay open, and no query is answered. */
  pause(): void;
  resume(): void;
  /** Waits until it answers, and restarts it if it has crashed. */
  restartIfDead(): Promise<void>;
};

// Acknowledged writes must survive a killed process; surviving a power cut is not needed here.
const DURABLE_SETTINGS = { synchronous_commit: 'on', restart_after_crash: 'on' };

export async function startKillablePostgres(options: PostgresOptions = {}): Promise<KillablePostgres> {
  const postgres = await startPostgres({ ...options, settings: { ...DURABLE_SETTINGS, ...options.settings } });
  const allPids = () => [postgres.pid(), ...childrenOf(postgres.pid())];
  return {
    ...postgres,
    async kill() {
      const parent = postgres.pid();
      // Suspended first, so that it cannot start another process meanwhile.
      sendSignal(parent, 'SIGSTOP');
      const children = childrenOf(parent);
      for (const pid of [...children, parent]) sendSignal(pid, 'SIGKILL');
      for (const pid of [...children, parent]) while (isAlive(pid)) await setTimeout(2);
    },
    killSession() {
      const session = childrenOf(postgres.pid()).find((pid) => /127\.0\.0\.1/.test(commandLineOf(pid)));
      if (session === undefined) return false;
      sendSignal(session, 'SIGKILL');
      return true;
    },
    async restartIfDead() {
      // While it recovers it refuses connections; if it cannot recover it exits.
      for (let tries = 0; tries < 10_000 && isAlive(postgres.pid()); tries += 1) {
        if (await isAnswering(postgres.url)) return;
        await setTimeout(10);
      }
      await postgres.restart();
    },
    pause() {
      for (const pid of allPids()) sendSignal(pid, 'SIGSTOP');
    },
    resume() {
      for (const pid of allPids().toReversed()) sendSignal(pid, 'SIGCONT');
    },
  };
}

const isAnswering = (url: string): Promise<boolean> =>
  queryAt(url, 'select 1').then(
    () => true,
    () => false,
  );

export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function childrenOf(pid: number): number[] {
  try {
    return parseNumbers(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  } catch {
    const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).split('\n').map(parseNumbers);
    return lines.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []));
  }
}

const parseNumbers = (text: string) => text.trim().split(/\s+/).filter(Boolean).map(Number);

/** PostgreSQL's server processes show their client's address in their command line. */
function commandLineOf(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie has exited.
    return !/^\s*Z/.test(execFileSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return false;
  }
}
