import { type Kysely, sql } from 'kysely';
import type { LargeIndex } from '../largeIndexes.sql.ts';

/** Made after the migrations: see largeIndexes.sql.ts. */
export const OFFER_INDEXES: readonly LargeIndex[] = [
  {
    name: 'refunds_under_way',
    create: `create index concurrently refunds_under_way on refunds (liable_user)
      where liable_user is not null and state in ('asking', 'pending', 'stuck')`,
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  // The domain lists the reasons.
  await sql.raw('alter table payout_holds drop constraint payout_holds_reason_check').execute(db);
}
