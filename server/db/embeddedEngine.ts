import { join } from 'node:path';
import type pg from 'pg';
import { NamedStatementClient } from './client.ts';

/** One run of the embedded PostgreSQL. */
export type EmbeddedEngine = {
  readonly client: pg.Client;
  /** Why PostgreSQL has ended itself, if it has. */
  crash(): EmbeddedDatabaseDown | undefined;
  close(): Promise<void>;
};

/** The embedded database has stopped, or cannot write. The message says why. */
export class EmbeddedDatabaseDown extends Error {
  override name = 'EmbeddedDatabaseDown';
  /** As PostgreSQL reports that a disk is full. */
  readonly code = '53100';
}

/** The name of the embedded database's folder in the data directory. */
export const EMBEDDED_FOLDER = 'pglite';

/** PostgreSQL would take 128 MB for its cache of blocks and 6 for 100 connections, and WebAssembly never gives memory back. */
const MEMORY_PARAMETERS = ['-c', 'shared_buffers=16MB', '-c', 'max_connections=5'];

const FATAL_LINE = /(?:PANIC|FATAL): +(.+)/;

/** Starts the embedded PostgreSQL in `dataDir`, or in memory without a directory. */
export async function startEmbeddedEngine(
  dataDir: string | undefined,
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedEngine> {
  const [{ PGlite }, { createPgConfig }, { PrivateNodeFs }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/node-postgres'),
    import('./embeddedFiles.ts'),
  ]);
  let reason = '';
  let crash: EmbeddedDatabaseDown | undefined;
  const onStderr = (line: string) => {
    reason = FATAL_LINE.exec(line)?.[1] ?? reason;
    return false;
  };
  const files =
    dataDir === undefined
      ? undefined
      : new PrivateNodeFs(join(dataDir, EMBEDDED_FOLDER), (cause) => {
          crash = new EmbeddedDatabaseDown(reason || 'PostgreSQL ended itself', { cause });
          // Not before the call that crashed has returned.
          setImmediate(() => files?.closeLeftOpen());
        });
  try {
    const startParams = [...PGlite.defaultStartParams, ...MEMORY_PARAMETERS];
    const pglite = await PGlite.create({
      startParams,
      ...(files === undefined ? { dataDir: 'memory://' } : { fs: files, onStderr }),
    });
    const client = new NamedStatementClient(createPgConfig(pglite) as unknown as pg.ClientConfig);
    // Without a listener, a crash would end the process.
    client.on('error', () => {});
    await client.connect();
    for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = ${value}`);
    return {
      client,
      crash: () => crash,
      close: async () => {
        if (crash) return;
        await client.end();
        await pglite.close();
      },
    };
  } catch (error) {
    if (crash === undefined) files?.closeLeftOpen();
    throw toReadableError(error, reason);
  }
}

/** Emscripten's number for a full disk. Its errors are no `Error`, and have no message. */
const NO_SPACE = 51;

function toReadableError(error: unknown, reason: string): unknown {
  const { errno } = (error ?? {}) as { errno?: unknown };
  if (reason === '' && error instanceof Error) return error;
  const ownReason = errno === NO_SPACE ? 'No space left on device' : `its file system failed (${errno})`;
  return new EmbeddedDatabaseDown(reason || ownReason, { cause: error });
}
