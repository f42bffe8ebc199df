import { sql } from 'kysely';
import type { Context } from '../../server/context.ts';
import { queryRows, transact } from '../../server/db/database.ts';
import { csvPayoutMethod, sendPayouts } from '../../server/payments/payouts/payouts.ts';
import { returnPayout } from '../../server/payments/payouts/returnPayout.ts';
import type { Random } from '../random.ts';

/** Sends what is due to the bank, which sends a part of it back: twice each, and only once of it counts. */
export async function sendAndReturnPayouts(context: Context, random: Random): Promise<void> {
  const { db, now } = context;
  const batch = await sendPayouts(context, csvPayoutMethod);
  if (!batch) return;
  const sent = await queryRows<{ payoutId: string; userId: string }>(
    db,
    sql`select id as "payoutId", user_id as "userId" from payouts where batch = ${batch.batch} order by id`,
  );
  for (const payout of sent.filter(() => random() < 0.3)) {
    const once = () => transact(db, (tx) => returnPayout(tx, { ...payout, at: now() }));
    const outcomes = await Promise.allSettled([once(), once()]);
    if (outcomes.filter(({ status }) => status === 'fulfilled').length !== 1)
      throw new Error(`the payout ${payout.payoutId} came back ${outcomes.map(({ status }) => status).join(' and ')}`);
  }
}
