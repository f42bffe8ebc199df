import { type RawBuilder, sql } from 'kysely';
import { NOTIFICATIONS, type NotificationKind } from '../../domain/notifications.ts';
import type { Point } from '../../domain/places.ts';
import { isRestrictedFrom } from '../auth/restrictions.sql.ts';
import { hasJustLeft, hasUnderWay } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { send } from '../db/driver.ts';
import { dubersAround } from '../db/nearby.sql.ts';

/** What a notification is about: `about` is the id of the order, delivery or payout, of the event of a case, or of a ledger entry. */
export type NotificationTopic = { readonly kind: NotificationKind; readonly about: string };

/**
 * Queues a notification for each row `(person, about)` of `recipients` and each channel that the person chose. Part of the
 * transaction of the step that causes it. A repeat queues nothing.
 * Raw SQL: it is also a part of the statements that place an order and end a delivery.
 */
export function insertNotificationsSql(
  kind: NotificationKind,
  recipients: RawBuilder<unknown>,
  now: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { mail, push } = NOTIFICATIONS[kind].defaults;
  const kindSql = sql.lit(kind);
  return sql`insert into notifications (kind, about, channel, target, user_id, state, created_at, due_at)
    select ${kindSql}, r.about, chosen.channel, chosen.target, r.person, 'due', ${now}::timestamptz, ${now}::timestamptz
    from (${recipients}) r (person, about)
      left join notification_choices c on c.user_id = r.person and c.kind = ${kindSql}
      cross join lateral (
        select 'mail' as channel, r.person as target where coalesce(c.mail, ${sql.lit(mail)})
        union all
        select 'push', s.id from push_subscriptions s
          where s.user_id = r.person and coalesce(c.push, ${sql.lit(push)})) chosen
    on conflict do nothing`;
}

async function queueNotifications(
  tx: Tx,
  { kind, about }: NotificationTopic,
  people: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  const recipients = sql`select person, ${about}::uuid from (${people}) people (person)`;
  await send(tx, insertNotificationsSql(kind, recipients, sql`${now}`));
}

/** Queues the notifications about what happened in a case, for its people except the one who did it. */
export function queueCaseNotifications(
  tx: Tx,
  { eventId, caseId, except }: { eventId: string; caseId: string; except: string | null },
  now: Date,
): Promise<void> {
  const people = sql`select p.user_id from case_people p
    where p.case_id = ${caseId}::uuid and p.user_id is distinct from ${except}::uuid`;
  return queueNotifications(tx, { kind: 'case', about: eventId }, people, now);
}

/** Who is notified of an exception: its Bud, its Scrub, the Duber who had the delivery, and the one who has its laundry. */
export type ExceptionNotice = {
  readonly kind: Extract<
    NotificationKind,
    'arrived' | 'failed-pickup' | 'failed-drop' | 'dropped' | 'called-off' | 'delivered'
  >;
  readonly to: readonly ('Bud' | 'Scrub')[];
  readonly dubers?: readonly (string | null)[];
};

const COLUMN_OF_DELIVERY = { Bud: sql`d.bud_id`, Scrub: sql`d.scrub_id` };

/** Queues a notice about a delivery. The same people may have got the same one in an earlier attempt. */
export async function queueExceptionNotice(
  tx: Tx,
  deliveryId: string,
  { kind, to, dubers = [] }: ExceptionNotice,
  now: Date,
): Promise<void> {
  await deleteNotices(tx, deliveryId, [kind]);
  const people = sql.join([...to.map((role) => COLUMN_OF_DELIVERY[role]), ...dubers.map((id) => sql`${id}::uuid`)]);
  const present = sql`select distinct person from deliveries d cross join lateral unnest(array[${people}]::uuid[]) person
    where d.id = ${deliveryId}::uuid and person is not null`;
  await queueNotifications(tx, { kind, about: deliveryId }, present, now);
}

/** Deletes notices, sent or not, so that people can get them again. */
export async function deleteNotices(tx: Tx, about: string, kinds: readonly NotificationKind[]): Promise<void> {
  await send(tx, tx.deleteFrom('notifications').where('about', '=', about).where('kind', 'in', kinds));
}

/** Deletes the notices of a delivery that was not one. Those who were already sent one read that it was a mistake. */
export async function takeBackDelivered(tx: Tx, deliveryId: string, now: Date): Promise<void> {
  const deleted = await tx
    .deleteFrom('notifications')
    .where('about', '=', deliveryId)
    .where('kind', '=', 'delivered')
    .returning(['user_id', 'state'])
    .execute();
  const told = deleted.filter(({ state }) => state === 'sent').map((row) => row.user_id);
  if (told.length === 0) return;
  const people = sql`select distinct unnest(${told}::uuid[])`;
  await queueNotifications(tx, { kind: 'failed-drop', about: deliveryId }, people, now);
}

export function queuePayoutNotification(tx: Tx, payout: { id: string; userId: string }, now: Date): Promise<void> {
  return queueNotifications(tx, { kind: 'payout', about: payout.id }, sql`select ${payout.userId}::uuid`, now);
}

/**
 * Queues one notice for all Dubers near `pickup`. The push worker finds them later, so that the step that creates the
 * delivery does not wait for the search.
 */
export async function queueNearbyNotice(tx: Tx, deliveryId: string, pickup: Point, now: Date): Promise<void> {
  await send(
    tx,
    tx
      .insertInto('nearby_notices')
      .values({ delivery_id: deliveryId, latitude: pickup.latitude, longitude: pickup.longitude, created_at: now })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Whether a nearby notice waits. */
export async function hasNearbyNotices(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('nearby_notices').select('delivery_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Replaces the oldest nearby notice by notifications for the free Dubers in range. False when there was none. */
export async function expandNearbyNotice(tx: Tx): Promise<boolean> {
  const notice = await queryRow<Point & { about: string; at: Date }>(
    tx,
    sql`delete from nearby_notices where delivery_id = (select delivery_id from nearby_notices
        order by created_at limit 1 for update skip locked)
      returning delivery_id as about, latitude, longitude, created_at as at`,
  );
  if (!notice) return false;
  const people = sql`select place.id from ${dubersAround(notice)} and not ${hasUnderWay(sql.ref('place.id'))}
    and not ${isRestrictedFrom('new-work', sql.ref('place.id'))}
    and not exists (select from deliveries d where d.id = ${notice.about}::uuid
      and ${hasJustLeft('d', sql.ref('place.id'), sql`${notice.at}`)})`;
  await queueNotifications(tx, { kind: 'nearby', about: notice.about }, people, notice.at);
  return true;
}
