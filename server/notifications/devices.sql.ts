import { sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import { type ChannelChoice, NOTIFICATIONS, type NotificationKind } from '../../domain/notifications.ts';
import { isoTime } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import type { DueNotification } from './outbox.sql.ts';

/** The role and e-mail address of a person. */
export function readContact(tx: Tx, userId: string): Promise<{ role: Role; email: string } | undefined> {
  return tx.selectFrom('users').select(['role', 'email']).where('id', '=', userId).executeTakeFirst();
}

export type Recipient = {
  readonly fullname: string;
  readonly email: string;
  readonly role: Role;
  /** Whether they still want this kind on this channel. */
  readonly isWanted: boolean;
};

export async function readRecipient(
  tx: Tx,
  { userId, kind, channel }: DueNotification,
): Promise<Recipient | undefined> {
  const row = await tx
    .selectFrom('users as u')
    .leftJoin('notification_choices as c', (join) => join.onRef('c.user_id', '=', 'u.id').on('c.kind', '=', kind))
    .select(['u.fullname', 'u.email', 'u.role', 'c.mail', 'c.push'])
    .where('u.id', '=', userId)
    .executeTakeFirst();
  // An account that was erased has no address.
  if (!row?.email) return undefined;
  const { fullname, email, role } = row;
  return { fullname, email, role, isWanted: row[channel] ?? NOTIFICATIONS[kind].defaults[channel] };
}

export type StoredChoice = ChannelChoice & { readonly kind: NotificationKind };

/** A person's choices. A kind that they never changed has no row. */
export function readChoices(tx: Tx, userId: string): Promise<StoredChoice[]> {
  return tx.selectFrom('notification_choices').select(['kind', 'mail', 'push']).where('user_id', '=', userId).execute();
}

/** Changes a person's choice for one kind. A channel that is left out stays as it is. */
export async function saveChoice(
  tx: Tx,
  userId: string,
  { kind, mail, push }: { kind: NotificationKind; mail?: boolean | undefined; push?: boolean | undefined },
): Promise<void> {
  const { defaults } = NOTIFICATIONS[kind];
  const changes = { ...(mail === undefined ? {} : { mail }), ...(push === undefined ? {} : { push }) };
  await tx
    .insertInto('notification_choices')
    .values({ user_id: userId, kind, ...defaults, ...changes })
    .onConflict((conflict) => {
      const existing = conflict.columns(['user_id', 'kind']);
      return Object.keys(changes).length > 0 ? existing.doUpdateSet(changes) : existing.doNothing();
    })
    .execute();
}

export type DeviceRow = {
  readonly id: string;
  readonly endpoint: string;
  readonly agent: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

const DEVICE_COLUMNS = [
  'id',
  'endpoint',
  'agent',
  sql<string>`${isoTime('push_subscriptions.created_at')}`.as('createdAt'),
  sql<string | null>`${isoTime('push_subscriptions.last_used_at')}`.as('lastUsedAt'),
] as const;

export function listDevices(tx: Tx, userId: string): Promise<DeviceRow[]> {
  return tx
    .selectFrom('push_subscriptions')
    .select(DEVICE_COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export type NewDevice = {
  readonly id: string;
  readonly userId: string;
  readonly sessionHash: Buffer;
  readonly endpoint: string;
  readonly endpointHash: Buffer;
  readonly p256dh: string;
  readonly auth: string;
  readonly agent: string;
};

/**
 * Saves a subscription. If the browser was subscribed before, perhaps by another person, the subscription now belongs to
 * this one, and pushes that wait for the other are not sent to it.
 */
export function saveDevice(tx: Tx, device: NewDevice, now: Date): Promise<DeviceRow> {
  const { id, userId, sessionHash, endpoint, endpointHash, p256dh, auth, agent } = device;
  const owner = {
    user_id: userId,
    session_hash: sessionHash,
    p256dh,
    auth,
    agent,
    created_at: now,
    unanswered: 0,
    unanswered_since: null,
  };
  return tx
    .insertInto('push_subscriptions')
    .values({ id, endpoint, endpoint_hash: endpointHash, ...owner })
    .onConflict((conflict) => conflict.column('endpoint_hash').doUpdateSet({ ...owner, last_used_at: null }))
    .returning(DEVICE_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Deletes all but a person's `max` newest devices. */
export async function deleteOldestDevices(tx: Tx, userId: string, max: number): Promise<void> {
  const oldest = tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(max);
  await tx.deleteFrom('push_subscriptions').where('id', 'in', oldest).execute();
}

/** Deletes the person's device with an endpoint. False when they have no such device. */
export async function deleteDeviceAt(tx: Tx, userId: string, endpointHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('push_subscriptions')
    .where('endpoint_hash', '=', endpointHash)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes one of the person's devices. False when they have no such device. */
export async function deleteDevice(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export type PushTarget = { readonly endpoint: string; readonly p256dh: string; readonly auth: string };

/** Where pushes to one of a person's devices go. Undefined once the device is gone. */
export function readPushTarget(tx: Tx, userId: string, id: string): Promise<PushTarget | undefined> {
  return tx
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Records that the push service of a device answered, and whether it took the push. */
export async function markDeviceAnswered(tx: Tx, id: string, { usedAt }: { usedAt: Date | undefined }): Promise<void> {
  const answered = { unanswered: 0, unanswered_since: null };
  const update = tx.updateTable('push_subscriptions').where('id', '=', id);
  if (usedAt) await update.set({ ...answered, last_used_at: usedAt }).execute();
  else await update.set(answered).where('unanswered', '>', 0).execute();
}

/** Counts that the push service of a device did not answer. Returns how often in a row, and since when. */
export function countUnanswered(tx: Tx, id: string, now: Date): Promise<{ count: number; since: Date } | undefined> {
  return tx
    .updateTable('push_subscriptions')
    .set((eb) => ({
      unanswered: eb('unanswered', '+', 1),
      unanswered_since: sql<Date>`coalesce(unanswered_since, ${now})`,
    }))
    .where('id', '=', id)
    .returning(['unanswered as count', sql<Date>`unanswered_since`.as('since')])
    .executeTakeFirst();
}
