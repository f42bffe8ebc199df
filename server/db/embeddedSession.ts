import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { type ConnectionQueue, createConnectionQueue, type Lane } from './connectionQueue.ts';
import { EmbeddedDatabaseDown, type EmbeddedEngine, startEmbeddedEngine } from './embeddedEngine.ts';

export type EmbeddedSession = {
  /** Waits for the session, which is one for all: a transaction keeps it until `release`. */
  connect(lane: Lane): Promise<Pick<pg.PoolClient, 'query' | 'release'>>;
  /** Closes the database once no transaction is open. */
  close(): Promise<void>;
  /** Why the database cannot do its work now, for the operator. */
  problem(): string | undefined;
  /** How many wait for the session. */
  waiting: ConnectionQueue['waiting'];
};

type SessionOptions = {
  readonly dataDir: string | undefined;
  readonly settings: Readonly<Record<string, string>>;
  /** Receives what the operator has to know. */
  readonly log: (line: string) => void;
};

const RETRY_MS = 1_000;
/** PostgreSQL may need two new files of its write-ahead log, of 16 MB each, to recover. */
const ROOM_BYTES = 32 * 1024 * 1024;
const PROBE = Buffer.alloc(8 * 1024);
const DISK_ERROR =
  /^could not .*: (?:No space left on device|File too large|Read-only file system|(?:Disk )?[Qq]uota exceeded|I\/O error|Input\/output error)$/;

/**
 * Opens the session of the embedded database. When PostgreSQL cannot write, or has ended itself because of that, statements
 * fail until there is room; then the database opens again. pg's own pool could not connect again.
 */
export async function openEmbeddedSession(options: SessionOptions): Promise<EmbeddedSession> {
  const { dataDir, settings, log } = options;
  let engine = await startEmbeddedEngine(dataDir, settings);
  let problem: string | undefined;
  let recovery: Promise<void> | undefined;
  const closing = new AbortController();

  async function recover(): Promise<void> {
    while (!closing.signal.aborted) {
      await setTimeout(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted || dataDir === undefined || !(await hasRoom(dataDir))) continue;
      try {
        if (engine.crash()) engine = await startEmbeddedEngine(dataDir, settings);
        problem = undefined;
        recovery = undefined;
        return log('The embedded database works again');
      } catch (error) {
        report(error);
      }
    }
  }

  function report(error: unknown): void {
    const next = describeProblem(error);
    if (next !== problem) log(next);
    problem = next;
    recovery ??= recover();
  }

  function reportIfCurrent(down: EmbeddedDatabaseDown, crash: EmbeddedEngine['crash']): void {
    // A transaction from before a crash says nothing about the engine that runs now.
    if (engine.crash === crash) report(down);
  }

  const queue = createConnectionQueue({ connections: 1, reserved: 0 });
  return {
    problem: () => problem,
    waiting: queue.waiting,
    async connect(lane) {
      await queue.wait(lane);
      const query = createQuery(engine, reportIfCurrent) as pg.PoolClient['query'];
      return { query, release: () => queue.free(lane, true) };
    },
    async close() {
      await queue.wait('reads');
      closing.abort();
      await recovery;
      await engine.close();
    },
  };
}

/** Statements of a transaction that began before a crash fail, although the database is open again. */
const createQuery =
  ({ client, crash }: EmbeddedEngine, report: (down: EmbeddedDatabaseDown, crash: EmbeddedEngine['crash']) => void) =>
  async (...parameters: unknown[]): Promise<unknown> => {
    try {
      const down = crash();
      if (down) throw down;
      return await (client.query as (...all: unknown[]) => unknown).apply(client, parameters);
    } catch (error) {
      const down = crash() ?? toDiskError(error);
      if (down === undefined) throw error;
      report(down, crash);
      throw down;
    }
  };

const describeProblem = (error: unknown) =>
  `The embedded database cannot work: ${error instanceof Error ? error.message : error}. Make room where DATA_DIR is: then it works again, without a restart`;

function toDiskError(error: unknown): EmbeddedDatabaseDown | undefined {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  if (code !== '53100' && !DISK_ERROR.test(message)) return undefined;
  return new EmbeddedDatabaseDown(message, { cause: error });
}

/** Whether a file can be written, and there is enough space for more. Quotas and read-only disks show only in the attempt. */
async function hasRoom(dataDir: string): Promise<boolean> {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    const { bavail, bsize } = await statfs(dataDir);
    if (bavail * bsize < ROOM_BYTES) return false;
    await writeFile(probe, PROBE);
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}
