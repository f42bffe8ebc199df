import { createToken } from '../auth/secrets.ts';
import type { Tx } from '../db/database.ts';
import { insertKeyIfMissing, readKey } from './vapidKeys.sql.ts';

/** The installation's own keys. The secrets are in the database only: they are never logged, served or configured. */
export type NotificationKeys = {
  readonly vapid: { readonly publicKey: string; readonly privateKey: string };
  /** What unsubscribe links are signed with. */
  readonly unsubscribeSecret: string;
};

/**
 * The keys that the first start made. Subscriptions are bound to the VAPID key, and links in old mails to the other one,
 * so they stay the same for the life of the database, whichever process asks.
 */
export async function loadNotificationKeys(tx: Tx, now: Date): Promise<NotificationKeys> {
  const vapid = (await readKey(tx, 'vapid')) ?? (await insertKeyIfMissing(tx, 'vapid', await generateVapidKey(), now));
  const signing =
    (await readKey(tx, 'unsubscribe')) ??
    (await insertKeyIfMissing(tx, 'unsubscribe', { publicKey: null, secret: createToken() }, now));
  return { vapid: { publicKey: vapid.publicKey ?? '', privateKey: vapid.secret }, unsubscribeSecret: signing.secret };
}

async function generateVapidKey() {
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  return { publicKey, secret: privateKey };
}
