import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/**
 * Counts one action of a network, or `by` of something, in the current window or in a new one of `periodMs`. Counting stops
 * one above `most`, so that a flood does not keep its row growing. A window that ends later than any of now could is from a clock that was set back
 * since, so it is over too; the clocks of two servers may differ a little.
 */
export async function incrementRateLimit(
  tx: Tx,
  { kind, network }: { kind: string; network: string },
  now: Date,
  { periodMs, most, by = 1 }: { periodMs: number; most: number; by?: number },
): Promise<{ count: number; endsAt: Date }> {
  const first = Math.min(by, most + 1);
  const latestEnd = new Date(now.getTime() + 2 * periodMs);
  const isOver = sql<boolean>`(rate_limits.ends_at <= ${now} or rate_limits.ends_at > ${latestEnd})`;
  return tx
    .insertInto('rate_limits')
    .values({ kind, network, ends_at: new Date(now.getTime() + periodMs), count: first })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'network']).doUpdateSet({
        count: sql`case when ${isOver} then ${first}::int else least(rate_limits.count + ${first}::int, ${most}::int + 1) end`,
        ends_at: sql`case when ${isOver} then excluded.ends_at else rate_limits.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at as endsAt'])
    .executeTakeFirstOrThrow();
}

/** The counts of networks in their current windows. */
export function readRateLimits(tx: Tx, { kind, networks }: { kind: string; networks: readonly string[] }, now: Date) {
  return tx
    .selectFrom('rate_limits')
    .where('kind', '=', kind)
    .where('network', 'in', networks)
    .where('ends_at', '>', now)
    .select(['network', 'count', 'ends_at as endsAt'])
    .execute();
}

/** Starts a count from zero. */
export async function clearRateLimit(tx: Tx, { kind, network }: { kind: string; network: string }): Promise<void> {
  await tx.deleteFrom('rate_limits').where('kind', '=', kind).where('network', '=', network).execute();
}
