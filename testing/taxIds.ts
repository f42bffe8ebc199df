import { v7 as newId } from 'uuid';
import { mondayBefore } from '../domain/ledger.ts';
import type { Tx } from '../server/db/database.ts';

/** A payout as the job leaves it, without the work it is for. */
export async function insertTestPayout(
  db: Tx,
  userId: string,
  { cents, at, state = 'sent' }: { cents: number; at: Date; state?: 'due' | 'sent' },
): Promise<void> {
  const sent = state === 'sent' ? { sent_at: at, method: 'manual', batch: `test-${newId()}` } : {};
  const payout = { id: newId(), user_id: userId, period_end: mondayBefore(at), amount: cents, created_at: at };
  await db
    .insertInto('payouts')
    .values({ ...payout, state, ...sent })
    .execute();
}
