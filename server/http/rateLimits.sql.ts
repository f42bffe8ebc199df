import { sql } from 'kysely';
import { queryRow, type Tx } from '../db/database.ts';

export type RateLimitCount = { readonly count: number; readonly endsAt: Date };

/**
 * Counts one thing that a network did, in the window under way or in a new one of `periodMs`.
 * Counting stops above `most`: a flood does not make its own row ever hotter.
 */
export async function incrementRateLimit(
  tx: Tx,
  of: { kind: string; network: string },
  now: Date,
  { periodMs, most }: { periodMs: number; most: number },
): Promise<RateLimitCount> {
  const endsAt = new Date(now.getTime() + periodMs);
  const counted = await queryRow<{ count: number; ends_at: Date }>(
    tx,
    sql`insert into rate_limits as l (kind, network, ends_at, count) values (${of.kind}, ${of.network}, ${endsAt}, 1)
      on conflict (kind, network) do update set
        count = case when l.ends_at <= ${now} then 1 else least(l.count, ${most}::int) + 1 end,
        ends_at = case when l.ends_at <= ${now} then excluded.ends_at else l.ends_at end
      returning count, ends_at`,
  );
  return { count: counted?.count ?? 1, endsAt: counted?.ends_at ?? endsAt };
}
