import { createToken } from '../auth/secrets.ts';
import type { Tx } from '../db/database.ts';
import { insertKeyIfMissing, readKey } from '../db/keys.sql.ts';

/** The keys of this installation. The secrets are only in the database: they are never logged, served or configured. */
export type NotificationKeys = {
  readonly vapid: { readonly publicKey: string; readonly privateKey: string };
  /** Signs the links in mails that work without a session. */
  readonly linkSecret: string;
};

/**
 * Loads the keys, which the first start creates. They never change: push subscriptions are bound to the VAPID key, and
 * links in old mails to the other one.
 */
export async function loadNotificationKeys(tx: Tx, now: Date): Promise<NotificationKeys> {
  const vapid = (await readKey(tx, 'vapid')) ?? (await insertKeyIfMissing(tx, 'vapid', await generateVapidKey(), now));
  const signing =
    (await readKey(tx, 'unsubscribe')) ??
    (await insertKeyIfMissing(tx, 'unsubscribe', { publicKey: null, secret: createToken() }, now));
  return { vapid: { publicKey: vapid.publicKey ?? '', privateKey: vapid.secret }, linkSecret: signing.secret };
}

async function generateVapidKey() {
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  return { publicKey, secret: privateKey };
}
