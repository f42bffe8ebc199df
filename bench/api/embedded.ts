import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { recountTallies } from '../../server/dashboards/tallies.sql.ts';
import { type Database, openEmbeddedDatabase, rows, transact } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrate.ts';
import type { Sample } from './call.ts';
import { callsOf } from './calls.ts';
import { fillParts } from './fill.sql.ts';
import { openLine } from './load.ts';
import { measureCall, type Row } from './measure.ts';
import { startProduct } from './product.ts';
import { KEPT_IN, stampOf } from './world.ts';

const LINES = 10;

type Given = {
  readonly people: number;
  readonly env: Record<string, string>;
  readonly seconds: number;
  readonly say: (line: string) => void;
};

/** The same calls on the embedded database: it has one connection and lives in the server, so nothing is put back. */
export async function measureEmbedded({ people, env, seconds, say }: Given) {
  const filled = await fillEmbedded(people, say);
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-bench-'));
  try {
    await cp(filled, dataDir, { recursive: true });
    const calls = await withEmbedded(dataDir, async ({ db }) => {
      await rows(db, sql`update sessions set last_used_at = now() + interval '1 day'`);
      return callsOf((text) => rows<Sample>(db, sql.raw(text)));
    });
    const product = await startProduct({ DATA_DIR: dataDir, ...env });
    const lines = await Promise.all(Array.from({ length: LINES }, () => openLine(product.host, product.port)));
    const measured: Row[] = [];
    try {
      for (const call of calls) {
        say(`embedded: ${call.name} ...`);
        const own = await measureCall(call, { lines, product, seconds, reset: async () => {} });
        measured.push({ name: call.name, ...own });
      }
    } finally {
      for (const line of lines) line.close();
      await product.stop();
    }
    return { readyMs: product.readyMs, rows: measured };
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

/** A folder with the made-up world in it, kept for the next run. */
async function fillEmbedded(people: number, say: (line: string) => void): Promise<string> {
  const folder = join(KEPT_IN, `embedded-${people}`);
  const parts = fillParts(people);
  const stamp = stampOf(JSON.stringify(parts));
  const stampFile = join(folder, 'stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return folder;
  rmSync(folder, { recursive: true, force: true });
  await withEmbedded(folder, async ({ db }) => {
    await migrate(db);
    await rows(db, sql`set session_replication_role = 'replica'`);
    for (const [part, statements] of parts) {
      const began = Date.now();
      for (const statement of statements) await rows(db, sql.raw(statement));
      say(`embedded: ${part} in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    }
    await transact(db, recountTallies);
    await rows(db, sql`vacuum analyze`);
  });
  writeFileSync(stampFile, stamp);
  return folder;
}
