import { sql } from 'kysely';
import { MAX_CORRECTIONS } from '../../domain/needs.ts';
import { isConfirmedByRecipient } from '../handovers/recordHandover.ts';

/** How often the Duber of `deliveries d` took a step back. */
export const correctionCount = sql<number>`(select count(*)::int from steps t
  where t.subject_id = d.id and t.action = 'correct' and t.actor_id = d.duber_id)`;

/** Whether the Scrub of `orders o` has weighed the laundry, started or finished since the last step of `deliveries d`. */
export const hasScrubGoneOn = sql<boolean>`exists (select from steps s
  where s.subject_id = o.id and s.actor_id = o.scrub_id and s.at > (select coalesce(t.taken_at, t.at)
    from steps t where t.subject_id = d.id order by t.position desc limit 1))`;

/**
 * Whether the Duber of `deliveries d` can no longer take its last step back, however recent it is. The needs of `correct`, which
 * a test compares, without its time and without where the laundry is: their Duber sees both.
 */
export const isFinalFor = (duber: unknown) => sql<boolean>`(d.duber_id = ${duber}::uuid
  and (${correctionCount} >= ${sql.lit(MAX_CORRECTIONS)}
    or (d.status = 'Delivered' and (${isConfirmedByRecipient} or o.status = 'Cancelled' or ${hasScrubGoneOn}))))`;
