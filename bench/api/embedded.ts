import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { recountTallies } from '../../server/dashboards/tallies.sql.ts';
import { type Database, openEmbeddedDatabase, queryRows, transact } from '../../server/db/database.ts';
import { ensureSchema } from '../../server/db/ensureSchema.ts';
import { CACHE_DIR, hashOf } from './benchDatabase.ts';
import type { Sample } from './call.ts';
import { createCalls } from './calls.ts';
import { fillParts } from './fill.sql.ts';
import { openConnection } from './load.ts';
import { measureCall, type Row } from './measure.ts';
import { startProduct } from './product.ts';

const CONNECTIONS = 10;

type EmbeddedOptions = {
  readonly people: number;
  readonly env: Record<string, string>;
  readonly seconds: number;
  readonly log: (line: string) => void;
};

/** Measures the same calls on the embedded database. Only the server can open it, so changes are not undone. */
export async function measureEmbedded({ people, env, seconds, log }: EmbeddedOptions) {
  const filledDir = await fillEmbedded(people, log);
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-bench-'));
  try {
    await cp(filledDir, dataDir, { recursive: true });
    const calls = await withEmbedded(dataDir, async ({ db }) => {
      await queryRows(db, sql`update sessions set last_used_at = now() + interval '1 day'`);
      return createCalls((text) => queryRows<Sample>(db, sql.raw(text)));
    });
    const product = await startProduct({ DATA_DIR: dataDir, ...env });
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => openConnection(product.host, product.port)),
    );
    const rows: Row[] = [];
    try {
      for (const call of calls) {
        log(`embedded: ${call.name} ...`);
        const round = await measureCall(call, { connections, product, seconds, reset: async () => {} });
        rows.push({ name: call.name, ...round });
      }
    } finally {
      for (const connection of connections) connection.close();
      await product.stop();
    }
    return { readyMs: product.readyMs, rows };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function withEmbedded<T>(folder: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openEmbeddedDatabase(folder);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Returns a folder with an embedded database that has the test data. It is kept for the next run. */
async function fillEmbedded(people: number, log: (line: string) => void): Promise<string> {
  const folder = join(CACHE_DIR, `embedded-${people}`);
  const parts = fillParts(people);
  const stamp = hashOf(JSON.stringify(parts));
  const stampFile = join(folder, 'stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return folder;
  rmSync(folder, { recursive: true, force: true });
  await withEmbedded(folder, async ({ db }) => {
    await ensureSchema(db);
    await queryRows(db, sql`set session_replication_role = 'replica'`);
    for (const [part, statements] of parts) {
      const startedAt = Date.now();
      for (const statement of statements) await queryRows(db, sql.raw(statement));
      log(`embedded: ${part} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    }
    await transact(db, recountTallies);
    await queryRows(db, sql`vacuum analyze`);
  });
  writeFileSync(stampFile, stamp);
  return folder;
}
