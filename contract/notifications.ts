import { z } from 'zod';
import { ROLES } from '../domain/accounts.ts';
import { NOTIFICATION_KINDS } from '../domain/notifications.ts';
import { anyRole, call } from './call.ts';
import { flag, id, oneOf, optionalText, strict, text, time, uuid } from './fields.ts';

const kind = oneOf(NOTIFICATION_KINDS, `kind must be one of ${NOTIFICATION_KINDS.join(', ')}`);

const Device = z
  .object({
    id: uuid,
    endpoint: z.string().describe('the URL that the push service gave to the browser'),
    agent: z.string().describe('a short name of the browser'),
    createdAt: time,
    lastUsedAt: time.nullable().describe('when a notification last reached it'),
  })
  .meta({ id: 'PushDevice' });
export type Device = z.output<typeof Device>;

export const Notifications = z
  .object({
    choices: z.array(z.object({ kind: z.enum(NOTIFICATION_KINDS), mail: z.boolean(), push: z.boolean() })),
    devices: z.array(Device).describe('the browsers that get push notifications'),
    publicKey: z.string().describe('the VAPID key to subscribe with (applicationServerKey), base64url'),
  })
  .meta({ id: 'Notifications' });
export type Notifications = z.output<typeof Notifications>;

export const notifications = call({
  method: 'GET',
  path: '/notifications',
  who: anyRole,
  answer: Notifications,
  status: 200,
  failures: [],
  summary: "The caller's notification settings and devices, and the key for push subscriptions",
  spec: '2.10',
});

export const chooseNotifications = call({
  method: 'POST',
  path: '/notifications',
  who: anyRole,
  body: strict({ kind, mail: flag('mail').optional(), push: flag('push').optional() }),
  answer: Notifications,
  status: 200,
  failures: [],
  summary: 'Choose the channels of one kind of notification. Missing channels stay as they are',
  spec: '2.10',
  example: { body: { kind: 'placed', mail: false } },
});

/** A key of a PushSubscription: base64url of so many bytes. */
const key = (name: string, bytes: number) =>
  text({ required: `${name} is required`, name, max: 200 }).refine(
    (value) => /^[\w-]+={0,2}$/.test(value) && Math.floor((value.replace(/={1,2}$/, '').length * 3) / 4) === bytes,
    { error: `${name} must be ${bytes} bytes in base64url`, params: { constraint: 'isKey' } },
  );

export const subscribePush = call({
  method: 'POST',
  path: '/notifications/devices',
  who: anyRole,
  body: strict({
    endpoint: text({ required: 'endpoint is required', name: 'endpoint', max: 2000 }),
    keys: strict({ p256dh: key('p256dh', 65), auth: key('auth', 16) }),
    agent: optionalText('agent', 60, 'one').describe('a name of the device for its owner'),
    replaces: optionalText('replaces', 2000, 'one').describe(
      "the endpoint of the caller's device that the browser has renewed with this one. It is removed; a 404 without it",
    ),
  }),
  answer: Device,
  status: 201,
  failures: ['invalid', 'notFound'],
  summary:
    "Get push notifications on this device while this session is valid. The body is the browser's PushSubscription",
  spec: '2.10',
  example: {
    body: {
      endpoint: 'https://push.example.org/send/4f1c',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
  },
});

export const unsubscribePush = call({
  method: 'DELETE',
  path: '/notifications/devices/:id',
  who: anyRole,
  params: strict({ id: id('id') }),
  answer: Notifications,
  status: 200,
  failures: ['notFound'],
  summary: "Remove one of the caller's devices from push notifications",
  spec: '2.10',
  example: { params: { id: '01a1fc3e-39c0-7584-bdf3-2ffcac94720b' } },
});

const token = text({ required: 'token is required', name: 'token', max: 300 });

const Unsubscribing = z
  .object({
    kind: z.enum(NOTIFICATION_KINDS),
    role: z.enum(ROLES),
    email: z.string().describe('a part of the address that the link was sent to'),
    mail: z.boolean().describe('whether these e-mails are sent'),
  })
  .meta({ id: 'Unsubscribing' });
export type Unsubscribing = z.output<typeof Unsubscribing>;

export const readUnsubscribe = call({
  method: 'GET',
  path: '/unsubscribe',
  who: 'anyone',
  query: strict({ token }),
  answer: Unsubscribing,
  status: 200,
  failures: ['badUnsubscribeLink'],
  summary: 'The kind of e-mail that an unsubscribe link is for. Changes nothing',
  spec: '2.10',
  example: { query: { token: 'Aa3x…' } },
});

export const unsubscribe = call({
  method: 'POST',
  path: '/unsubscribe',
  who: 'anyone',
  body: strict({ token, mail: flag('mail').optional() }),
  answer: Unsubscribing,
  status: 200,
  failures: ['badUnsubscribeLink'],
  summary: 'Turn one kind of e-mail off with the link from such an e-mail, or on again (mail: true). Needs no session',
  spec: '2.10',
  example: { body: { token: 'Aa3x…' } },
});
