import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { queryRows, type Tx } from './database.ts';

// Indexes of tables that are large. A migration runs in a transaction, and an index that is made in one keeps everybody from
// writing for as long as it takes. So these are made after the migrations, beside the servers of the previous release.

export type LargeIndex = {
  readonly name: string;
  /** Fills its columns first, in batches. It goes on where a crash stopped it. */
  readonly fill?: (session: Tx) => Promise<void>;
  /** Makes it `concurrently`: outside of a transaction, while others write. */
  readonly create: string;
  /** What holds until the index does: a constraint, or an index of this or of an earlier release. */
  readonly replaces?: ReplacedConstraint | { readonly index: string };
};

type ReplacedConstraint = { readonly table: string; readonly constraint: string };

const LOCK_TIMEOUT_MS = 300;
const LOCK_PAUSE_MS = 100;

/** Whether each index is there and valid, and what they replace is gone. */
export async function areLargeIndexesMade(db: Tx, indexes: readonly LargeIndex[]): Promise<boolean> {
  const { kept, replaced } = splitByReplaced(indexes);
  const valid = await listValid(db);
  if (!kept.every(({ name }) => valid.has(name))) return false;
  const [present, constraints] = [await listIndexes(db), await listConstraints(db)];
  return replaced.every((one) => ('index' in one ? !present.has(one.index) : !constraints.has(one.constraint)));
}

/** Makes the indexes that are missing, and drops what they replace. Safe to start again after a crash. */
export async function makeLargeIndexes(session: Tx, indexes: readonly LargeIndex[], lockWaitS: number): Promise<void> {
  const { kept, replaced } = splitByReplaced(indexes);
  const valid = await listValid(session);
  for (const { name, fill, create } of kept) {
    if (valid.has(name)) continue;
    await fill?.(session);
    // A crash leaves an index that is not valid.
    await dropIndex(session, name);
    await sql.raw(create).execute(session);
  }
  const constraints = await listConstraints(session);
  for (const one of replaced) {
    if ('index' in one) await dropIndex(session, one.index);
    else if (constraints.has(one.constraint)) await dropConstraint(session, one, lockWaitS);
  }
}

/** The indexes to create, without those that another one replaces, and what to drop because it is replaced. */
function splitByReplaced(indexes: readonly LargeIndex[]) {
  const replaced = indexes.flatMap(({ replaces }) => (replaces ? [replaces] : []));
  const names = new Set(replaced.map((one) => ('index' in one ? one.index : undefined)));
  return { kept: indexes.filter(({ name }) => !names.has(name)), replaced };
}

const dropIndex = (session: Tx, name: string) =>
  sql`drop index concurrently if exists ${sql.ref(name)}`.execute(session);

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

async function listIndexes(db: Tx, condition = sql`true`): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ name: string }>(
    db,
    sql`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and ${condition}`,
  );
  return new Set(rows.map(({ name }) => name));
}

const listValid = (db: Tx) => listIndexes(db, sql`i.indisvalid`);

async function listConstraints(db: Tx): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ name: string }>(
    db,
    sql`select conname as name from pg_constraint where connamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}
