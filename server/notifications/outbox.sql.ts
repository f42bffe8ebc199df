import { type RawBuilder, sql } from 'kysely';
import { NOTIFICATIONS, type NotificationKind } from '../../domain/notifications.ts';
import type { Point } from '../../domain/places.ts';
import { hasActiveDelivery } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { dubersAround } from '../db/nearby.sql.ts';

/** What a message is about: `about` is the order's, delivery's or payout's id. */
export type Notice = { readonly kind: NotificationKind; readonly about: string };

/**
 * Writes a message down for each row `(person, about)` of `told` and each way that the person chose, in the transaction of
 * the step that causes it: all of it happens, or nothing. A second time writes nothing.
 */
export function insertNotificationsSql(
  kind: NotificationKind,
  told: RawBuilder<unknown>,
  now: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { mail, push } = NOTIFICATIONS[kind].defaults;
  const name = sql.lit(kind);
  return sql`insert into notifications (kind, about, channel, target, user_id, state, created_at, due_at)
    select ${name}, told.about, way.channel, way.target, told.person, 'due', ${now}::timestamptz, ${now}::timestamptz
    from (${told}) told (person, about)
      left join notification_choices c on c.user_id = told.person and c.kind = ${name}
      cross join lateral (
        select 'mail' as channel, told.person as target where coalesce(c.mail, ${sql.lit(mail)})
        union all
        select 'push', s.id from push_subscriptions s
          where s.user_id = told.person and coalesce(c.push, ${sql.lit(push)})) way
    on conflict do nothing`;
}

async function queueNotifications(
  tx: Tx,
  { kind, about }: Notice,
  people: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  const told = sql`select person, ${about}::uuid from (${people}) people (person)`;
  await queryRows(tx, insertNotificationsSql(kind, told, sql`${now}`));
}

const KINDS_FOR_BOTH_PARTIES: readonly NotificationKind[] = ['placed', 'expired'];

export function queueOrderNotifications(tx: Tx, occasion: Notice, now: Date): Promise<void> {
  const whom = KINDS_FOR_BOTH_PARTIES.includes(occasion.kind) ? sql`array[o.bud_id, o.scrub_id]` : sql`array[o.bud_id]`;
  return queueNotifications(
    tx,
    occasion,
    sql`select unnest(${whom}) from orders o where o.id = ${occasion.about}::uuid`,
    now,
  );
}

export function queueDeliveredNotifications(tx: Tx, deliveryId: string, now: Date): Promise<void> {
  const people = sql`select unnest(array[d.bud_id, d.scrub_id]) from deliveries d where d.id = ${deliveryId}::uuid`;
  return queueNotifications(tx, { kind: 'delivered', about: deliveryId }, people, now);
}

export function queuePayoutNotification(tx: Tx, payout: { id: string; userId: string }, now: Date): Promise<void> {
  return queueNotifications(tx, { kind: 'payout', about: payout.id }, sql`select ${payout.userId}::uuid`, now);
}

/**
 * For the Dubers around `pickup`. Who that is, is found when it is sent: the step of one person does not wait for a
 * search among many.
 */
export async function queueNearbyNotice(tx: Tx, deliveryId: string, pickup: Point, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`insert into nearby_notices (delivery_id, latitude, longitude, created_at)
      values (${deliveryId}, ${pickup.latitude}, ${pickup.longitude}, ${now}) on conflict do nothing`,
  );
}

/** Whether a delivery began to wait whose Dubers around are not written to yet. */
export async function hasNearbyNotices(tx: Tx): Promise<boolean> {
  return (await queryRow(tx, sql`select 1 from nearby_notices limit 1`)) !== undefined;
}

/** Writes the messages about one delivery that began to wait, for the Dubers around it who are free; false if none does. */
export async function expandNearbyNotice(tx: Tx): Promise<boolean> {
  const taken = await queryRow<Point & { about: string; at: Date }>(
    tx,
    sql`delete from nearby_notices where delivery_id = (select delivery_id from nearby_notices
        order by created_at limit 1 for update skip locked)
      returning delivery_id as about, latitude, longitude, created_at as at`,
  );
  if (!taken) return false;
  const people = sql`select place.id from ${dubersAround(taken)} and not ${hasActiveDelivery(sql.ref('place.id'))}`;
  await queueNotifications(tx, { kind: 'nearby', about: taken.about }, people, taken.at);
  return true;
}
