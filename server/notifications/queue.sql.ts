import { type RawBuilder, sql } from 'kysely';
import { NOTICES, type NoticeKind } from '../../domain/notifications.ts';
import { NEARBY_RADIUS_M, type Point } from '../../domain/places.ts';
import { rows, type Tx } from '../database.ts';
import { inBox, metersFrom } from '../places.sql.ts';

/** What a message is about: `about` is the order's, delivery's or payout's id. */
export type Occasion = { readonly kind: NoticeKind; readonly about: string };

/**
 * Writes a message down for each of `people` and each way that they chose, in the transaction of the step that causes
 * it: all of it happens, or nothing. A second time writes nothing.
 */
async function queue(tx: Tx, { kind, about }: Occasion, people: RawBuilder<unknown>, now: Date): Promise<void> {
  const { mail, push } = NOTICES[kind].usual;
  await rows(
    tx,
    sql`insert into notifications (kind, about, channel, target, user_id, state, created_at, due_at)
      select ${kind}::text, ${about}::uuid, way.channel, way.target, told.person, 'due',
        ${now}::timestamptz, ${now}::timestamptz
      from (${people}) told (person)
        left join notification_choices c on c.user_id = told.person and c.kind = ${kind}::text
        cross join lateral (
          select 'mail' as channel, told.person as target where coalesce(c.mail, ${mail}::boolean)
          union all
          select 'push', s.id from push_subscriptions s
            where s.user_id = told.person and coalesce(c.push, ${push}::boolean)) way
      on conflict do nothing`,
  );
}

const BOTH: readonly NoticeKind[] = ['placed', 'expired'];

export function queueOfOrder(tx: Tx, occasion: Occasion, now: Date): Promise<void> {
  const whom = BOTH.includes(occasion.kind) ? sql`array[o.bud_id, o.scrub_id]` : sql`array[o.bud_id]`;
  return queue(tx, occasion, sql`select unnest(${whom}) from orders o where o.id = ${occasion.about}::uuid`, now);
}

export function queueDelivered(tx: Tx, deliveryId: string, now: Date): Promise<void> {
  const people = sql`select unnest(array[d.bud_id, d.scrub_id]) from deliveries d where d.id = ${deliveryId}::uuid`;
  return queue(tx, { kind: 'delivered', about: deliveryId }, people, now);
}

export function queuePayout(tx: Tx, payout: { id: string; userId: string }, now: Date): Promise<void> {
  return queue(tx, { kind: 'payout', about: payout.id }, sql`select ${payout.userId}::uuid`, now);
}

/** For the Dubers around `pickup` who have no active delivery: those whom a live event tells, too. */
export function queueNearby(tx: Tx, deliveryId: string, pickup: Point, now: Date): Promise<void> {
  const people = sql`select p.duber_id from duber_places p
    where ${inBox(pickup, NEARBY_RADIUS_M, 'p.band', 'p.longitude')}
      and ${metersFrom(pickup, 'p.latitude', 'p.longitude')} <= ${NEARBY_RADIUS_M}
      and not exists (select 1 from deliveries d
        where d.duber_id = p.duber_id and d.status not in ('Pending', 'Delivered'))`;
  return queue(tx, { kind: 'nearby', about: deliveryId }, people, now);
}
