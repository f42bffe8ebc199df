import { sql } from 'kysely';
import { queryRow, type Tx, transact } from '../server/db/database.ts';

/**
 * Runs `work` in a transaction that stays open for as long as a slow machine needs: the server ends one that is idle for 15 seconds.
 * For tests that hold locks while others wait for them.
 */
export const holdTransaction = <Result>(db: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  transact(db, async (tx) => {
    await queryRow(tx, sql`set local idle_in_transaction_session_timeout = 0`);
    return work(tx);
  });
