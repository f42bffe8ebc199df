import { sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import { type ChannelChoice, NOTIFICATIONS, type NotificationKind } from '../../domain/notifications.ts';
import { isoTime } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** Whom messages go to: their role, and their e-mail address. */
export function readContact(tx: Tx, userId: string): Promise<{ role: Role; email: string } | undefined> {
  return queryRow(tx, sql`select role, email from users where id = ${userId}`);
}

export type StoredChoice = ChannelChoice & { readonly kind: NotificationKind };

/** What a person chose; the kinds that they never touched are missing. */
export function readChoices(tx: Tx, userId: string): Promise<StoredChoice[]> {
  return queryRows(tx, sql`select kind, mail, push from notification_choices where user_id = ${userId}`);
}

/** Changes one kind of a person's choices; what is left out stays as it is. */
export async function saveChoice(
  tx: Tx,
  userId: string,
  { kind, mail, push }: { kind: NotificationKind; mail?: boolean | undefined; push?: boolean | undefined },
): Promise<void> {
  const { defaults } = NOTIFICATIONS[kind];
  const [newMail, newPush] = [mail ?? null, push ?? null];
  await queryRows(
    tx,
    sql`insert into notification_choices as c (user_id, kind, mail, push)
      values (${userId}, ${kind}, coalesce(${newMail}::boolean, ${defaults.mail}), coalesce(${newPush}::boolean, ${defaults.push}))
      on conflict (user_id, kind) do update set
        mail = coalesce(${newMail}::boolean, c.mail), push = coalesce(${newPush}::boolean, c.push)`,
  );
}

export type DeviceRow = {
  readonly id: string;
  readonly endpoint: string;
  readonly agent: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

const columns = sql`s.id, s.endpoint, s.agent, ${isoTime('s.created_at')} as "createdAt", ${isoTime('s.last_used_at')} as "lastUsedAt"`;

export function listDevices(tx: Tx, userId: string): Promise<DeviceRow[]> {
  return queryRows(
    tx,
    sql`select ${columns} from push_subscriptions s where s.user_id = ${userId} order by s.created_at, s.id`,
  );
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
 * Keeps a subscription. One that is there already is this person's from now on, also when somebody else used the same
 * browser before; what waits for them is not sent to it any more.
 */
export async function saveDevice(tx: Tx, device: NewDevice, now: Date): Promise<DeviceRow> {
  const { id, userId, sessionHash, endpoint, endpointHash, p256dh, auth, agent } = device;
  const put = await queryRow<DeviceRow>(
    tx,
    sql`insert into push_subscriptions as s
        (id, user_id, session_hash, endpoint, endpoint_hash, p256dh, auth, agent, created_at)
      values (${id}, ${userId}, ${sessionHash}, ${endpoint}, ${endpointHash}, ${p256dh}, ${auth}, ${agent}, ${now})
      on conflict (endpoint_hash) do update set user_id = excluded.user_id, session_hash = excluded.session_hash,
        p256dh = excluded.p256dh, auth = excluded.auth, agent = excluded.agent,
        created_at = excluded.created_at, last_used_at = null
      returning ${columns}`,
  );
  if (!put) throw new Error('a push subscription was not written');
  return put;
}

/** Forgets a person's oldest devices beyond `most`. */
export async function deleteOldestDevices(tx: Tx, userId: string, most: number): Promise<void> {
  await queryRows(
    tx,
    sql`delete from push_subscriptions where id in (select id from push_subscriptions where user_id = ${userId}
      order by created_at desc, id desc offset ${most})`,
  );
}

/** Forgets one of the person's own devices; false when it is not there, or not theirs. */
export async function deleteDevice(tx: Tx, userId: string, id: string): Promise<boolean> {
  const gone = await queryRow(
    tx,
    sql`delete from push_subscriptions where id = ${id} and user_id = ${userId} returning id`,
  );
  return gone !== undefined;
}

export type PushTarget = { readonly endpoint: string; readonly p256dh: string; readonly auth: string };

/** Where a push to one of a person's devices goes; undefined once the device is gone. */
export function readPushTarget(tx: Tx, userId: string, id: string): Promise<PushTarget | undefined> {
  return queryRow(
    tx,
    sql`select endpoint, p256dh, auth from push_subscriptions where id = ${id} and user_id = ${userId}`,
  );
}

export async function markDeviceUsed(tx: Tx, id: string, now: Date): Promise<void> {
  await queryRows(tx, sql`update push_subscriptions set last_used_at = ${now} where id = ${id}`);
}
