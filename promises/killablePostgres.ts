import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type Postgres, type PostgresOptions, startPostgres } from '../scripts/postgres.ts';

/** A PostgreSQL of one suite alone, which can be killed, stopped, paused and filled without harm to others. */
export type KillablePostgres = Postgres & {
  /** Kills all of its processes at once, as a crash of the machine's memory would, and waits until they are gone. */
  kill(): Promise<void>;
  /** Kills one of its sessions: it then recovers by itself, and breaks all others. False when nobody was connected. */
  killSession(): boolean;
  /** Stops every process of it in its tracks: connections stay open, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Starts it again if it has died of itself, once it is certain whether it has. */
  restartIfDead(): Promise<void>;
};

// What was acknowledged has to be written: only what a power cut takes may be left out.
const DURABLE_SETTINGS = { synchronous_commit: 'on', restart_after_crash: 'on' };

export async function startKillablePostgres(options: PostgresOptions = {}): Promise<KillablePostgres> {
  const postgres = await startPostgres({ ...options, settings: { ...DURABLE_SETTINGS, ...options.settings } });
  const all = () => [postgres.pid(), ...childrenOf(postgres.pid())];
  return {
    ...postgres,
    async kill() {
      const parent = postgres.pid();
      // Stopped first, it cannot start another one while the others are counted.
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
      // One that recovers refuses connections for a while, one that could not recover is gone.
      for (let tries = 0; tries < 1_000 && isAlive(postgres.pid()); tries += 1) {
        if (await isAnswering(postgres.url)) return;
        await setTimeout(10);
      }
      await postgres.restart();
    },
    pause() {
      for (const pid of all()) sendSignal(pid, 'SIGSTOP');
    },
    resume() {
      for (const pid of all().toReversed()) sendSignal(pid, 'SIGCONT');
    },
  };
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return parseNumbers(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  } catch {
    const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).split('\n').map(parseNumbers);
    return lines.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []));
  }
}

const parseNumbers = (text: string) => text.trim().split(/\s+/).filter(Boolean).map(Number);

/** A server process of PostgreSQL names itself after the client that it serves. */
function commandLineOf(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One whose parent is gone may stay in the list of processes until somebody takes note of its end.
    return !/^\s*Z/.test(execFileSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return false;
  }
}
