import { createECDH } from 'node:crypto';
import type { UserId } from '../../domain/accounts.ts';
import { NOTIFICATIONS, notificationKindsFor } from '../../domain/notifications.ts';
import { digest } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, withConnection } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  deleteDevice,
  deleteDeviceAt,
  deleteOldestDevices,
  listDevices,
  readChoices,
  readContact,
  saveChoice,
  saveDevice,
} from './devices.sql.ts';
import { mayPushTo } from './push.ts';
import { type MailSubscription, readUnsubscribeToken } from './unsubscribe.ts';
import type { NotificationKeys } from './vapidKeys.ts';

const MAX_DEVICES = 10;
const BAD_ENDPOINT = 'endpoint must be an https address on the public internet';
const BAD_KEY = 'keys.p256dh must be a point on the curve P-256';

type NotificationCalls = Pick<
  Handlers,
  'notifications' | 'chooseNotifications' | 'subscribePush' | 'unsubscribePush' | 'readUnsubscribe' | 'unsubscribe'
>;

type NotificationUser = { readonly id: UserId; readonly role: keyof typeof KINDS_BY_ROLE };
const KINDS_BY_ROLE = {
  Bud: notificationKindsFor('Bud'),
  Scrub: notificationKindsFor('Scrub'),
  Duber: notificationKindsFor('Duber'),
};

export function notificationHandlers(context: Context, keys: NotificationKeys): NotificationCalls {
  const { db } = context;
  const readSettings = async (tx: Tx, { id, role }: NotificationUser) => {
    const chosen = new Map((await readChoices(tx, id)).map((one) => [one.kind, one]));
    return {
      choices: KINDS_BY_ROLE[role].map((kind) => {
        const { mail, push } = chosen.get(kind) ?? NOTIFICATIONS[kind].defaults;
        return { kind, mail, push };
      }),
      devices: await listDevices(tx, id),
      publicKey: keys.vapid.publicKey,
    };
  };
  return {
    notifications: ({ caller }) => readSettings(db, caller),
    chooseNotifications: async ({ caller, body }) => {
      if (!KINDS_BY_ROLE[caller.role].includes(body.kind)) {
        refuseProperty('kind', 'isIn', `kind must be one of ${KINDS_BY_ROLE[caller.role].join(', ')}`);
      }
      return withConnection(db, async (connected) => {
        await saveChoice(connected, caller.id, body);
        return readSettings(connected, caller);
      });
    },
    subscribePush: (input) => subscribePush(context, input),
    unsubscribePush: ({ caller, params }) =>
      withConnection(db, async (connected) => {
        if (!(await deleteDevice(connected, caller.id, params.id))) refuse('notFound');
        return readSettings(connected, caller);
      }),
    readUnsubscribe: ({ query }) => readUnsubscribeState(db, subscriptionOf(keys, query.token)),
    unsubscribe: async ({ body }) => {
      const subscription = subscriptionOf(keys, body.token);
      const { userId, kind } = subscription;
      return withConnection(db, async (connected) => {
        await saveChoice(connected, userId, { kind, mail: body.mail ?? false });
        return readUnsubscribeState(connected, subscription);
      });
    },
  };
}

const subscriptionOf = (keys: NotificationKeys, token: string): MailSubscription =>
  readUnsubscribeToken(keys.linkSecret, token) ?? refuse('badUnsubscribeLink');

async function readUnsubscribeState(db: Tx, { userId, kind }: MailSubscription) {
  const { role, email } = orNotFound(await readContact(db, userId));
  const chosen = (await readChoices(db, userId)).find((one) => one.kind === kind);
  return { kind, role, email: maskEmail(email), mail: (chosen ?? NOTIFICATIONS[kind].defaults).mail };
}

/** Its owner recognizes the address. A person that the mail was forwarded to learns little. */
function maskEmail(email: string): string {
  const [name = '', ...rest] = email.split('@');
  return `${name.slice(0, 1)}…@${rest.join('@')}`;
}

type SubscribeInput = Parameters<Handlers['subscribePush']>[0];

async function subscribePush({ db, now, newId, config }: Context, { caller, body, token }: SubscribeInput) {
  const { endpoint, agent } = body;
  const [p256dh, auth] = [body.keys.p256dh, body.keys.auth].map((key) => key.replaceAll('=', '')) as [string, string];
  if (!mayPushTo(endpoint, config.pushStandIn)) refuseProperty('endpoint', 'isPublic', BAD_ENDPOINT);
  if (!isOnCurve(p256dh)) refuseProperty('keys.p256dh', 'isKey', BAD_KEY);
  const sessionHash = digest(token ?? '');
  const { href } = new URL(endpoint);
  return transact(db, async (tx) => {
    const isKnown = !body.replaces || (await deleteDeviceAt(tx, caller.id, digest(hrefOf(body.replaces))));
    if (!isKnown) refuse('notFound');
    const device = { id: newId(), userId: caller.id, sessionHash, p256dh, auth, agent: agent ?? 'A browser' };
    const saved = await saveDevice(tx, { ...device, endpoint: href, endpointHash: digest(href) }, now());
    await deleteOldestDevices(tx, caller.id, MAX_DEVICES);
    return saved;
  });
}

/** As devices are stored. */
const hrefOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).href : endpoint);

// Encrypting for an invalid key fails, so it is refused now instead of failing with each push.
function isOnCurve(p256dh: string): boolean {
  try {
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    ecdh.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}
