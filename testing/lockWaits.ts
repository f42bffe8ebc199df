import { sql } from 'kysely';
import { queryRow, type Tx } from '../server/db/database.ts';
import { waitFor } from './waits.ts';

/** How many statements of the database wait for a lock. */
export async function countLockWaits(db: Tx): Promise<number> {
  const row = await queryRow<{ count: number }>(
    db,
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

/** Waits until so many statements wait for a lock; without a `count`, until any does. Not on a connection that is in use. */
export const waitForLockWaits = (db: Tx, count?: number): Promise<void> =>
  waitFor(async () => {
    const waiting = await countLockWaits(db);
    if (count === undefined ? waiting === 0 : waiting !== count)
      throw new Error(`${waiting} of ${count ?? 'any'} wait for a lock`);
  });
