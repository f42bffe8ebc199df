import { sql } from 'kysely';
import { queryRow, type Tx } from '../db/database.ts';

/** Tables whose rows outlive their use, with the column that says until when they were of any. */
export const EXPIRING_TABLES = {
  rate_limits: 'ends_at',
  sign_in_failures: 'blocked_until',
  email_codes: 'sent_at',
  sessions: 'last_used_at',
  reset_links: 'expires_at',
  notifications: 'done_at',
} as const;

export type ExpiringTable = keyof typeof EXPIRING_TABLES;

/** How many pages a table has on the disk. */
export async function countPages(tx: Tx, table: ExpiringTable): Promise<number> {
  const size = await queryRow<{ pages: number }>(
    tx,
    sql`select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as pages`,
  );
  return size?.pages ?? 0;
}

/**
 * Deletes what is older than `before` in some pages of a table; gives how many rows that were. By pages, and not by an
 * index on the times: that would make every use of a session or a limit dearer.
 */
export async function deleteExpiredRows(
  tx: Tx,
  table: ExpiringTable,
  before: Date,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const name = sql.id(table);
  const swept = await queryRow<{ count: number }>(
    tx,
    sql`with gone as (delete from ${name} where ctid = any(array(select ctid from ${name}
        where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${to},0)`}::tid and ${sql.id(EXPIRING_TABLES[table])} < ${before}
        for update skip locked)) returning 1)
      select count(*)::int as count from gone`,
  );
  return swept?.count ?? 0;
}
