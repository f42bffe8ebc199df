import { sql } from 'kysely';
import { FAILURES } from '../../contract/failures.ts';
import { KEY_NAME_BYTES, type Sealer } from '../auth/sealing.ts';
import { queryRows, type Tx } from '../db/database.ts';
import type { Log } from '../log.ts';

/** Encrypted data whose loss nobody notices at once. A file for a bank is refused with an explanation when it is downloaded. */
const SEALED = {
  'second factors': ['second_factors', 'sealed_secret'],
  'bank accounts': ['payout_accounts', 'sealed'],
  'tax numbers': ['tax_ids', 'sealed'],
  // With the rows of the audit that were sealed at the same moment.
  'what is kept of erased accounts': ['erasures', 'sealed'],
} as const;

/**
 * Logs what was encrypted with another key: by another server, or before a restore without the key. With second factors of another
 * key nobody can sign in to the console here, which is an error. The other data counts as missing until it is entered again.
 */
export async function warnOfOtherSealingKey({ db, log }: { db: Tx; log: Log }, sealer: Sealer): Promise<void> {
  const unreadable: string[] = [];
  for (const [what, [table, column]] of Object.entries(SEALED)) {
    // Raw SQL: a statement for any of the tables. Only the first bytes, which name the key.
    const keys = await queryRows<{ name: Buffer }>(
      db,
      sql`select distinct substring(${sql.ref(column)} from 1 for ${KEY_NAME_BYTES}::int) as name from ${sql.table(table)}
        where ${sql.ref(column)} is not null`,
    );
    if (keys.some(({ name }) => !sealer.isOwn(name))) unreadable.push(what);
  }
  if (unreadable.length === 0) return;
  const level = unreadable.includes('second factors') ? 'error' : 'warn';
  log[level]({ unreadable }, FAILURES.keyMissing[1]);
}
