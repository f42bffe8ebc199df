import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { queryRows, type Tx } from './database.ts';

// Indexes of tables that are large. A migration runs in a transaction, and an index that is made in one keeps everybody from
// writing for as long as it takes. So these are made after the migrations, beside the servers of the previous release.

type ReplacedConstraint = { readonly table: string; readonly constraint: string };

export type LargeIndex = {
  readonly name: string;
  /** Makes it `concurrently`: outside of a transaction, while others write. */
  readonly create: string;
  /** A constraint or an index that holds until this one does. */
  readonly replaces: ReplacedConstraint | { readonly index: string };
};

const LOCK_TIMEOUT_MS = 300;
const LOCK_PAUSE_MS = 100;

/** Whether each index is there and valid, and what they replace is gone. */
export async function areLargeIndexesMade(db: Tx, indexes: readonly LargeIndex[]): Promise<boolean> {
  const valid = await listValid(db);
  const constraints = await listConstraints(db);
  const isGone = (replaced: LargeIndex['replaces']) =>
    'index' in replaced ? !valid.has(replaced.index) : !constraints.has(replaced.constraint);
  return indexes.every(({ name, replaces }) => valid.has(name) && isGone(replaces));
}

/** Makes the indexes that are missing, and drops what they replace. Safe to start again after a crash. */
export async function makeLargeIndexes(session: Tx, indexes: readonly LargeIndex[], lockWaitS: number): Promise<void> {
  const valid = await listValid(session);
  for (const { name, create } of indexes) {
    if (valid.has(name)) continue;
    // A crash leaves an index that is not valid.
    await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(session);
    await sql.raw(create).execute(session);
  }
  const constraints = await listConstraints(session);
  for (const { replaces } of indexes) {
    if ('index' in replaces) await sql`drop index concurrently if exists ${sql.ref(replaces.index)}`.execute(session);
    else if (constraints.has(replaces.constraint)) await dropConstraint(session, replaces, lockWaitS);
  }
}

/** Whether a statement gave up waiting for a lock. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

/** Takes a moment without rows. Nobody waits behind it for longer than its time-out. */
async function dropConstraint(
  session: Tx,
  { table, constraint }: ReplacedConstraint,
  lockWaitS: number,
): Promise<void> {
  const drop = () =>
    session.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
      await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(constraint)}`.execute(tx);
    });
  for (let left = Math.ceil((lockWaitS * 1000) / (LOCK_TIMEOUT_MS + LOCK_PAUSE_MS)); ; left -= 1) {
    try {
      return await drop();
    } catch (error) {
      if (!isLockTimeout(error) || left <= 0) throw error;
      await setTimeout(LOCK_PAUSE_MS);
    }
  }
}

async function listValid(db: Tx): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ name: string }>(
    db,
    sql`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and i.indisvalid`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function listConstraints(db: Tx): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ name: string }>(
    db,
    sql`select conname as name from pg_constraint where connamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}
