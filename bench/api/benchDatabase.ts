import { createHash } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { ROOT } from '../../scripts/build.ts';
import { type Postgres, startPostgres } from '../../scripts/postgres.ts';
import { recountTallies } from '../../server/dashboards/tallies.sql.ts';
import { openServerDatabase, queryRow, type Tx, transact } from '../../server/db/database.ts';
import { ensureSchema } from '../../server/db/ensureSchema.ts';
import { withConnection } from '../../testing/databaseConnection.ts';
import { log } from '../run.ts';
import { fillParts } from './fill.sql.ts';

// PostgreSQL's user must be able to enter this folder. Set BENCH_DIR if the checkout is in a private home folder.
export const CACHE_DIR = process.env.BENCH_DIR ?? join(ROOT, '.cache', 'bench');

/** Starts a PostgreSQL for the benchmark. It keeps its databases for the next run. */
export function openCluster(): Promise<Postgres> {
  const settings = {
    shared_buffers: `${Math.max(1, Math.floor(totalmem() / 4 / 1024 ** 3))}GB`,
    max_wal_size: '4GB',
    checkpoint_timeout: '30min',
  };
  return startPostgres({ folder: join(CACHE_DIR, 'postgres'), settings });
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Returns the URL of a database with `people` people. Its tables are in memory, as on a server that has run for a day. */
export async function openFilledDatabase(cluster: Postgres, people: number): Promise<string> {
  return openFilled(cluster, `world_${people}`, fillParts(people));
}

type FillParts = ReturnType<typeof fillParts>;

/** Returns the URL of a database that these statements have filled, now or in an earlier run. */
export async function openFilled(cluster: Postgres, name: string, parts: FillParts): Promise<string> {
  const url = await fillIfStale(cluster, name, parts);
  await withQuery(url, prewarm);
  return url;
}

/** Loads the tables into memory: reads from the disk would measure the machine instead of the product. */
async function prewarm(query: (text: string) => Promise<unknown[]>): Promise<void> {
  const [extension] = await query(`select 1 from pg_available_extensions where name = 'pg_prewarm'`);
  if (!extension) {
    log('this PostgreSQL has no pg_prewarm: the first rounds read from the disk');
    return;
  }
  await query('create extension if not exists pg_prewarm');
  await query(
    `select pg_prewarm(oid) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
  );
}

async function fillIfStale(cluster: Postgres, name: string, parts: FillParts): Promise<string> {
  const url = new URL(cluster.url);
  url.pathname = `/${name}`;
  const stamp = hashOf(JSON.stringify(parts));
  if ((await readStamp(cluster.url, name)) === stamp) {
    await makeTables(url.href);
    return url.href;
  }
  await runStatements(cluster.url, [`drop database if exists ${name}`, `create database ${name}`]);
  await makeTables(url.href);
  for (const [part, statements] of parts) {
    const startedAt = Date.now();
    await runStatements(url.href, ["set session_replication_role = 'replica'", ...statements], true);
    log(`${name}: ${part} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  await recountDatabaseTallies(url.href);
  await runStatements(url.href, ['vacuum (analyze, freeze)']);
  await runStatements(url.href, [`comment on database ${name} is '${stamp}'`]);
  return url.href;
}

const makeTables = (url: string) => withDatabase(url, ensureSchema);
// The triggers that maintain the tallies are off while the database is filled.
const recountDatabaseTallies = (url: string) => withDatabase(url, (db) => transact(db, recountTallies));

async function withDatabase<T>(url: string, work: (db: Tx) => Promise<T>): Promise<T> {
  const { db, close } = openServerDatabase(url, 1, 'endless');
  try {
    return await work(db);
  } finally {
    await close();
  }
}

const readStamp = (url: string, name: string) =>
  withDatabase(url, async (db) => {
    const row = await queryRow<{ stamp: string | null }>(
      db,
      sql`select shobj_description(oid, 'pg_database') as stamp from pg_database where datname = ${name}`,
    );
    return row?.stamp ?? undefined;
  });

/** Runs `work` with a function that sends queries over one connection. */
export async function withQuery<T>(
  url: string,
  work: (query: <Row>(text: string) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  return withConnection(url, (client) => work(async <Row>(text: string) => (await client.query(text)).rows as Row[]));
}

/** Runs statements on one connection, optionally in one transaction. */
export async function runStatements(url: string, statements: readonly string[], inTransaction = false): Promise<void> {
  await withConnection(url, async (client) => {
    if (inTransaction) await client.query('begin');
    for (const statement of statements) await client.query(statement);
    if (inTransaction) await client.query('commit');
  });
}
