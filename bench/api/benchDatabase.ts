import { createHash } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { ROOT } from '../../scripts/build.ts';
import { type Postgres, startPostgres } from '../../scripts/postgres.ts';
import { recountTallies } from '../../server/dashboards/tallies.sql.ts';
import { openServerDatabase, queryRow, type Tx, transact } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrate.ts';
import { log } from '../run.ts';
import { fillParts } from './fill.sql.ts';

// What is kept must lie where PostgreSQL's own user may enter; BENCH_DIR is for when the checkout is in a closed home.
export const CACHE_DIR = process.env.BENCH_DIR ?? join(ROOT, '.cache', 'bench');

/** A PostgreSQL for the bench alone, whose databases stay for the next run. */
export function openCluster(): Promise<Postgres> {
  const settings = {
    shared_buffers: `${Math.max(1, Math.floor(totalmem() / 4 / 1024 ** 3))}GB`,
    max_wal_size: '4GB',
    checkpoint_timeout: '30min',
  };
  return startPostgres({ folder: join(CACHE_DIR, 'postgres'), settings });
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The database with a world of so many people, in memory as on a server that has run for a day. */
export async function openFilledDatabase(cluster: Postgres, people: number): Promise<string> {
  const url = await fillIfStale(cluster, people);
  await withQuery(url, prewarm);
  return url;
}

/** A world is not measured from a disk: what a first look costs there says more of the machine than of the product. */
async function prewarm(ask: (text: string) => Promise<unknown[]>): Promise<void> {
  const [found] = await ask(`select 1 from pg_available_extensions where name = 'pg_prewarm'`);
  if (!found) {
    log('this PostgreSQL has no pg_prewarm: the first rounds read from the disk');
    return;
  }
  await ask('create extension if not exists pg_prewarm');
  await ask(
    `select pg_prewarm(oid) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
  );
}

async function fillIfStale(cluster: Postgres, people: number): Promise<string> {
  const name = `world_${people}`;
  const parts = fillParts(people);
  const url = new URL(cluster.url);
  url.pathname = `/${name}`;
  const stamp = hashOf(JSON.stringify(parts));
  if ((await readStamp(cluster.url, name)) === stamp) {
    await migrateDatabase(url.href);
    return url.href;
  }
  await runStatements(cluster.url, [`drop database if exists ${name}`, `create database ${name}`]);
  await migrateDatabase(url.href);
  for (const [part, statements] of parts) {
    const began = Date.now();
    await runStatements(url.href, ["set session_replication_role = 'replica'", ...statements], true);
    log(`${people} people: ${part} in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }
  await recountDatabaseTallies(url.href);
  await runStatements(url.href, ['vacuum (analyze, freeze)']);
  await runStatements(url.href, [`comment on database ${name} is '${stamp}'`]);
  return url.href;
}

const migrateDatabase = (url: string) => withDatabase(url, migrate);
// The triggers that keep the tallies were switched off.
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
    const found = await queryRow<{ stamp: string | null }>(
      db,
      sql`select shobj_description(oid, 'pg_database') as stamp from pg_database where datname = ${name}`,
    );
    return found?.stamp ?? undefined;
  });

/** Asks one thing after the other on one connection. */
export async function withQuery<T>(
  url: string,
  work: (ask: <Row>(text: string) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(async <Row>(text: string) => (await client.query(text)).rows as Row[]);
  } finally {
    await client.end();
  }
}

/** Runs statements on one connection, in one transaction if asked to. */
export async function runStatements(url: string, statements: readonly string[], together = false): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    if (together) await client.query('begin');
    for (const statement of statements) await client.query(statement);
    if (together) await client.query('commit');
  } finally {
    await client.end();
  }
}
