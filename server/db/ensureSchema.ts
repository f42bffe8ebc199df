import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { queryRow, type Tx } from './database.ts';

/** Every table of the product: one file, until 1.0. */
export const SCHEMA_FILE = join(import.meta.dirname, 'schema.sql');
const SCHEMA_SQL = readFileSync(SCHEMA_FILE, 'utf8');

/** The number of the schema that this build works with. */
export const SCHEMA_NUMBER = Number(/insert into schema_version \(number\) values \((\d+)\)/.exec(SCHEMA_SQL)?.[1]);

/** Why a database cannot be used, in one line for the operator. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}

const LOCK_ID = '3853314791062309107';
const LOCK_RETRY_MS = 250;
const LOCK_WAIT_S = 60;

export type SchemaOptions = {
  readonly log?: (message: string) => void;
  /** How long to wait for another server that makes the tables. */
  readonly lockWaitS?: number;
};

/**
 * Makes the tables of an empty database, on one session of `db`, which must not go through a connection pooler. When several servers
 * start at once, one makes the tables and the others wait. Throws a SchemaError when that takes too long, or when the database has
 * another schema.
 */
export async function ensureSchema(db: Tx, options: SchemaOptions = {}): Promise<void> {
  if (await hasSchema(db)) return;
  await db.connection().execute(async (session) => {
    await takeLock(session, options);
    try {
      if (await hasSchema(session)) return;
      await session.transaction().execute(async (tx) => {
        // A connection for calls has a timeout that suits calls.
        await sql`set local statement_timeout = 0`.execute(tx);
        await sql.raw(SCHEMA_SQL).execute(tx);
      });
    } finally {
      // A session that ended has no lock any more, and must not hide why it ended.
      await sql`select pg_advisory_unlock(${sql.lit(LOCK_ID)}::bigint)`.execute(session).catch(() => undefined);
    }
  });
}

/** False for an empty database. */
async function hasSchema(db: Tx): Promise<boolean> {
  const found = await readSchemaNumber(db);
  if (found === undefined) return false;
  if (found === SCHEMA_NUMBER) return true;
  const which = found === 'of migrations' ? 'was made by an earlier build' : `has schema ${found}`;
  throw new SchemaError(
    `the database ${which}, and this build works with schema ${SCHEMA_NUMBER}: see "Upgrades" in docs/operating.md`,
  );
}

/** The number of the schema of a database. Undefined for an empty one. */
async function readSchemaNumber(db: Tx): Promise<number | 'of migrations' | undefined> {
  const tables = await queryRow<{ present: boolean; earlier: boolean }>(
    db,
    sql`select to_regclass('schema_version') is not null as present, to_regclass('kysely_migration') is not null as earlier`,
  );
  if (tables?.present) return (await db.selectFrom('schema_version').select('number').executeTakeFirst())?.number;
  return tables?.earlier ? 'of migrations' : undefined;
}

async function takeLock(session: Tx, { log = () => {}, lockWaitS = LOCK_WAIT_S }: SchemaOptions): Promise<void> {
  const tryLock = () =>
    queryRow<{ taken: boolean }>(session, sql`select pg_try_advisory_lock(${sql.lit(LOCK_ID)}::bigint) as taken`);
  const tries = Math.ceil((lockWaitS * 1000) / LOCK_RETRY_MS);
  for (let count = 0; count <= tries; count += 1) {
    if ((await tryLock())?.taken) return;
    if (count === 0)
      log(`waiting for another server that makes the tables of the database, up to ${lockWaitS} seconds`);
    await setTimeout(LOCK_RETRY_MS);
  }
  throw new SchemaError(
    `another server has been making the tables of the database for ${lockWaitS} seconds: start this one again when that is done`,
  );
}
