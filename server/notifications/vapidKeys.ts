import { newToken } from '../auth/secrets.ts';
import type { Tx } from '../db/database.ts';
import { keepKey, readKey } from './vapidKeys.sql.ts';

/** The installation's own keys. The secrets are in the database only: they are never logged, served or configured. */
export type Keys = {
  readonly vapid: { readonly publicKey: string; readonly privateKey: string };
  /** What unsubscribe links are signed with. */
  readonly unsubscribe: string;
};

/**
 * The keys that the first start made. Subscriptions are bound to the VAPID key, and links in old mails to the other one,
 * so they stay the same for the life of the database, whichever process asks.
 */
export async function openKeys(tx: Tx, now: Date): Promise<Keys> {
  const vapid = (await readKey(tx, 'vapid')) ?? (await keepKey(tx, 'vapid', await newVapidKey(), now));
  const signing =
    (await readKey(tx, 'unsubscribe')) ??
    (await keepKey(tx, 'unsubscribe', { publicKey: null, secret: newToken() }, now));
  return { vapid: { publicKey: vapid.publicKey ?? '', privateKey: vapid.secret }, unsubscribe: signing.secret };
}

async function newVapidKey() {
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  return { publicKey, secret: privateKey };
}
