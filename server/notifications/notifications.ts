import { createECDH } from 'node:crypto';
import type { UserId } from '../../domain/accounts.ts';
import { kindsFor, NOTICES } from '../../domain/notifications.ts';
import { digest } from '../auth/secrets.ts';
import type { Deps } from '../context.ts';
import { transact } from '../db/database.ts';
import { found, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  keepNewestDevices,
  listDevices,
  putDevice,
  readChoices,
  readRecipient,
  removeDevice,
  writeChoice,
} from './devices.sql.ts';
import { mayPushTo } from './push.ts';
import { type Leave, readToken } from './unsubscribe.ts';
import type { Keys } from './vapidKeys.ts';

const DEVICES_MAXIMUM = 10;
const BAD_ENDPOINT = 'endpoint must be an https address on the public internet';
const BAD_KEY = 'keys.p256dh must be a point on the curve P-256';

type NotificationCalls = Pick<
  Handlers,
  'notifications' | 'chooseNotifications' | 'subscribePush' | 'unsubscribePush' | 'readUnsubscribe' | 'unsubscribe'
>;

type Person = { readonly id: UserId; readonly role: keyof typeof ROLE_KINDS };
const ROLE_KINDS = { Bud: kindsFor('Bud'), Scrub: kindsFor('Scrub'), Duber: kindsFor('Duber') };

export function notificationHandlers(deps: Deps, keys: Keys): NotificationCalls {
  const { db } = deps;
  const mine = async ({ id, role }: Person) => {
    const chosen = new Map((await readChoices(db, id)).map((one) => [one.kind, one]));
    return {
      choices: ROLE_KINDS[role].map((kind) => {
        const { mail, push } = chosen.get(kind) ?? NOTICES[kind].usual;
        return { kind, mail, push };
      }),
      devices: await listDevices(db, id),
      publicKey: keys.vapid.publicKey,
    };
  };
  return {
    notifications: ({ caller }) => mine(caller),
    chooseNotifications: async ({ caller, body }) => {
      if (!ROLE_KINDS[caller.role].includes(body.kind)) {
        refuseProperty('kind', 'isIn', `kind must be one of ${ROLE_KINDS[caller.role].join(', ')}`);
      }
      await writeChoice(db, caller.id, body);
      return mine(caller);
    },
    subscribePush: (asked) => subscribe(deps, asked),
    unsubscribePush: async ({ caller, params }) => {
      if (!(await removeDevice(db, caller.id, params.id))) refuse('notFound');
      return mine(caller);
    },
    readUnsubscribe: ({ query }) => readLeave(deps, leaveOf(keys, query.token)),
    unsubscribe: async ({ body }) => {
      const leave = leaveOf(keys, body.token);
      await writeChoice(db, leave.userId, { kind: leave.kind, mail: body.mail ?? false });
      return readLeave(deps, leave);
    },
  };
}

const leaveOf = (keys: Keys, token: string): Leave =>
  readToken(keys.unsubscribe, token) ?? refuse('badUnsubscribeLink');

async function readLeave({ db }: Deps, { userId, kind }: Leave) {
  const { role, email } = found(await readRecipient(db, userId));
  const chosen = (await readChoices(db, userId)).find((one) => one.kind === kind);
  return { kind, role, email: inPart(email), mail: (chosen ?? NOTICES[kind].usual).mail };
}

/** Enough for its owner to know it by, too little for whoever a mail was passed on to. */
function inPart(email: string): string {
  const [name = '', ...rest] = email.split('@');
  return `${name.slice(0, 1)}…@${rest.join('@')}`;
}

type Subscribing = Parameters<Handlers['subscribePush']>[0];

async function subscribe({ db, now, newId, config }: Deps, { caller, body, token }: Subscribing) {
  const { endpoint, agent } = body;
  const [p256dh, auth] = [body.keys.p256dh, body.keys.auth].map((key) => key.replaceAll('=', '')) as [string, string];
  if (!mayPushTo(endpoint, config.pushStandIn)) refuseProperty('endpoint', 'isPublic', BAD_ENDPOINT);
  if (!isOnCurve(p256dh)) refuseProperty('keys.p256dh', 'isKey', BAD_KEY);
  const sessionHash = digest(token ?? '');
  const { href } = new URL(endpoint);
  return transact(db, async (tx) => {
    const device = { id: newId(), userId: caller.id, sessionHash, p256dh, auth, agent: agent ?? 'A browser' };
    const put = await putDevice(tx, { ...device, endpoint: href, endpointHash: digest(href) }, now());
    await keepNewestDevices(tx, caller.id, DEVICES_MAXIMUM);
    return put;
  });
}

// Nothing could be encrypted for a key that is none; it is told to whoever sends it, not to the operator later.
function isOnCurve(p256dh: string): boolean {
  try {
    const own = createECDH('prime256v1');
    own.generateKeys();
    own.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}
