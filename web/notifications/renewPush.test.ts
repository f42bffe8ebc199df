import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorBody } from '../../contract/failures.ts';
import { forgetEnabledPush, readEnabledPush, saveEnabledPush } from '../storage/enabledPush.ts';
import { forgetRemovedPush, readPushState, renewPush } from './pushSubscription.ts';

const BEFORE = 'https://push.example.org/before';
const RENEWED = 'https://push.example.org/renewed';

const subscriptionAt = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: 'a key', auth: 'a secret' } }),
});

/** The browser's subscription, its permission, and what the server was sent. */
let current: ReturnType<typeof subscriptionAt> | null;
let permission: NotificationPermission;
let sent: { replaces?: string; endpoint: string }[];
let doesServerKnow: boolean;
/** What the person does while the server is asked. */
let meanwhile: () => void;

beforeEach(() => {
  current = subscriptionAt(BEFORE);
  permission = 'granted';
  sent = [];
  doesServerKnow = true;
  meanwhile = () => {};
  const pushManager = {
    getSubscription: async () => current,
    subscribe: async () => {
      current = subscriptionAt(RENEWED);
      return current;
    },
  };
  vi.stubGlobal('navigator', {
    userAgent: 'Firefox/150',
    serviceWorker: { ready: new Promise(() => undefined), getRegistration: async () => ({ pushManager }) },
  });
  vi.stubGlobal('window', { PushManager: {}, Notification: {} });
  vi.stubGlobal('Notification', {
    get permission() {
      return permission;
    },
  });
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit) => {
    meanwhile();
    if (method !== 'POST') return Response.json({ publicKey: 'the key', choices: [], devices: [] });
    const asked = JSON.parse(String(body)) as (typeof sent)[number];
    sent.push(asked);
    const isRefused = asked.replaces !== undefined && !doesServerKnow;
    return isRefused ? Response.json(errorBody('notFound'), { status: 404 }) : Response.json({}, { status: 201 });
  });
  saveEnabledPush({ userId: 'me', endpoint: BEFORE });
});
afterEach(() => {
  forgetEnabledPush();
  vi.unstubAllGlobals();
});

test('a subscription that the browser has renewed since the last visit replaces the one before on the server, once', async () => {
  current = subscriptionAt(RENEWED);
  expect(await renewPush('me')).toBe(true);
  expect(sent).toMatchObject([{ endpoint: RENEWED, replaces: BEFORE, agent: 'Firefox' }]);
  expect(readEnabledPush()).toEqual({ userId: 'me', endpoint: RENEWED });
  expect([await renewPush('me'), sent.length]).toEqual([false, 1]);
});

test('a subscription that the browser has lost is made again, also where the server has dropped it', async () => {
  current = null;
  doesServerKnow = false;
  expect(await renewPush('me')).toBe(true);
  expect(sent.map(({ endpoint, replaces }) => [endpoint, replaces])).toEqual([
    [RENEWED, BEFORE],
    [RENEWED, undefined],
  ]);
});

test('a device that its owner removes while it is renewed is not added again', async () => {
  current = null;
  meanwhile = forgetEnabledPush;
  expect([await renewPush('me'), sent]).toEqual([false, []]);
  saveEnabledPush({ userId: 'me', endpoint: BEFORE });
  current = subscriptionAt(RENEWED);
  doesServerKnow = false;
  expect([await renewPush('me'), sent.length, readEnabledPush()]).toEqual([false, 1, undefined]);
});

test('nothing is renewed for somebody else, without the permission, or while the subscription is the same', async () => {
  expect(await renewPush('me')).toBe(false);
  current = subscriptionAt(RENEWED);
  expect(await renewPush('somebody else')).toBe(false);
  permission = 'default';
  expect(await renewPush('me')).toBe(false);
  expect(sent).toEqual([]);
});

test('the profile says that pushes are on only where they arrive, and a device that was removed elsewhere is not renewed', async () => {
  const device = { id: 'a', endpoint: BEFORE, agent: 'Firefox', createdAt: '', lastUsedAt: null };
  expect(await readPushState([device])).toBe('on');
  permission = 'default';
  expect(await readPushState([device])).toBe('off');
  permission = 'granted';
  // Who has not read the list yet only looks.
  expect(await readPushState([])).toBe('off');
  expect(readEnabledPush()).toEqual({ userId: 'me', endpoint: BEFORE });
  await forgetRemovedPush([device]);
  expect(readEnabledPush()).toEqual({ userId: 'me', endpoint: BEFORE });
  await forgetRemovedPush([]);
  current = subscriptionAt(RENEWED);
  expect([await renewPush('me'), sent]).toEqual([false, []]);

  vi.stubGlobal('navigator', {
    userAgent: 'Firefox/150',
    serviceWorker: {
      ready: new Promise(() => undefined),
      getRegistration: () => Promise.reject(new DOMException('The user denied permission', 'NotSupportedError')),
    },
  });
  expect(await readPushState([device])).toBe('cannot');
});
