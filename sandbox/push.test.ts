import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import webPush from 'web-push';
import { createPushKeys, decrypt } from './push/decrypt.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';

const vapid = webPush.generateVAPIDKeys();
let dataDir: string;
let sandbox: Sandbox;
let app: FastifyInstance;
let url: string;

async function start(): Promise<void> {
  const parts = { square: false, places: false, map: false, mail: true };
  sandbox = await openSandbox({ dataDir, parts, publicUrl: () => url });
  app = Fastify({ forceCloseConnections: true });
  await sandbox.register(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
}

async function stop(): Promise<void> {
  await app.close();
  await sandbox.close();
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rubadub-push-'));
  await start();
});
afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true });
});

type RequestOverrides = { headers?: Record<string, string>; endpoint?: string };

/** Sends as the web-push library does. `change` makes the request wrong. */
function sendPush(
  endpoint: string,
  keys: { p256dh: string; auth: string },
  text: string,
  change: RequestOverrides = {},
) {
  const options = { vapidDetails: { subject: 'mailto:a@b.example', ...vapid }, TTL: 60, urgency: 'high' as const };
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, text, options);
  return fetch(change.endpoint ?? endpoint, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...(headers as Record<string, string>), ...change.headers },
    body: body as unknown as Uint8Array<ArrayBuffer>,
  });
}

const listMessages = async (to: string) =>
  (await (await fetch(`${url}/sandbox/push/messages?to=${encodeURIComponent(to)}`)).json()) as Record<
    string,
    unknown
  >[];

test('a private key has 32 bytes, also when it begins with zeros', () => {
  for (let n = 0; n < 1_000; n += 1) expect(Buffer.from(createPushKeys().privateKey, 'base64url')).toHaveLength(32);
});

test('a push to any subscription is stored encrypted, and only the holder of the keys can read it', async () => {
  const own = createPushKeys();
  const endpoint = `${url}/sandbox/push/phone-1`;
  expect((await sendPush(endpoint, own, '{"title":"Hello"}')).status).toBe(201);
  const [arrived, ...others] = await listMessages(endpoint);
  expect(others).toEqual([]);
  expect(arrived).toMatchObject({ to: 'phone-1', ttl: 60, urgency: 'high', text: null, publicKey: vapid.publicKey });
  const body = Buffer.from(String(arrived?.body), 'base64');
  expect(body.toString('latin1')).not.toContain('Hello');
  expect(decrypt(body, own)).toBe('{"title":"Hello"}');
  expect(() => decrypt(body, createPushKeys())).toThrow();
});

test('a push to a subscription created here is shown on the page, as text', async () => {
  const made = await fetch(`${url}/sandbox/push/subscriptions`, { method: 'POST' });
  const { endpoint, keys } = (await made.json()) as { endpoint: string; keys: { p256dh: string; auth: string } };
  await sendPush(endpoint, keys, JSON.stringify({ title: '<script>x</script>', body: 'It is here', url: '/#/x' }));
  expect(await listMessages(endpoint)).toMatchObject([{ text: expect.stringContaining('It is here') }]);
  const page = await (await fetch(`${url}/sandbox/push`)).text();
  expect(page).toContain('&#60;script&#62;x');
  expect(page).not.toContain('<script');
});

test('refuses what a push service refuses: no TTL, no sender, a sender for another origin, an invalid body', async () => {
  const own = createPushKeys();
  const endpoint = `${url}/sandbox/push/phone-1`;
  const status = async (change: RequestOverrides, to = endpoint) => (await sendPush(to, own, 'x', change)).status;
  expect(await status({ headers: { TTL: 'soon' } })).toBe(400);
  expect(await status({ headers: { Authorization: 'vapid t=a.b.c, k=d' } })).toBe(403);
  expect(await status({ endpoint }, 'https://elsewhere.example/x')).toBe(403);
  expect(await status({ headers: { 'Content-Encoding': 'aesgcm' } })).toBe(415);
  expect(await listMessages(endpoint)).toEqual([]);
});

test.each([
  ['gone', 410, 0],
  ['missing', 404, 0],
  ['busy', 429, 0],
  ['unavailable', 503, 0],
  ['redirect', 307, 0],
  ['refused', 403, 0],
  ['lost', undefined, 1],
])('the failure %s is played once, for the subscription that it is for', async (how, status, arrived) => {
  const [own, to] = [createPushKeys(), 'phone-2'];
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ how, to }) };
  expect((await fetch(`${url}/sandbox/push/faults`, asked)).status).toBe(204);
  expect((await sendPush(`${url}/sandbox/push/phone-1`, own, 'x')).status).toBe(201);
  const answer = await sendPush(`${url}/sandbox/push/${to}`, own, 'x').catch(() => undefined);
  expect(answer?.status).toBe(status);
  expect(await listMessages(to)).toHaveLength(arrived);
  expect((await sendPush(`${url}/sandbox/push/${to}`, own, 'x')).status).toBe(201);
});

test('a restart keeps all pushes', async () => {
  const made = await fetch(`${url}/sandbox/push/subscriptions`, { method: 'POST' });
  const { endpoint, keys } = (await made.json()) as { endpoint: string; keys: { p256dh: string; auth: string } };
  await sendPush(endpoint, keys, 'before');
  await stop();
  await start();
  expect(await listMessages(new URL(endpoint).pathname.replace('/sandbox/push/', ''))).toMatchObject([
    { id: '1', text: 'before' },
  ]);
});
