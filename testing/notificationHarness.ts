import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import type { Caller } from '../domain/accounts.ts';
import type { Channel } from '../domain/notifications.ts';
import { decrypt, makeKeys } from '../sandbox/push/decrypt.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { digest } from '../server/auth/secrets.ts';
import { insertSession } from '../server/auth/sessions.sql.ts';
import type { Deps } from '../server/context.ts';
import { openPost } from '../server/mail/send.ts';
import { notificationHandlers } from '../server/notifications/notifications.ts';
import { openPushDoor } from '../server/notifications/push.ts';
import { sendDueMessages, type Ways } from '../server/notifications/send.ts';
import { type Keys, openKeys } from '../server/notifications/vapidKeys.ts';
import { openTill, type Till } from './paymentHarness.ts';
import type { Kind } from './testServer.ts';

export type Mail = { id: string; to: string; subject: string; text: string; html: string; unsubscribe?: string };
export type Pushed = { title: string; body: string; url: string; tag: string };
export type Arrived = { id: string; ttl: number; urgency: string; topic: string; publicKey: string; body: string };

export type Phone = {
  readonly id: string;
  readonly endpoint: string;
  /** What arrived for it, as it came and as its keys read it; oldest first. */
  arrived(): Promise<(Arrived & { readonly push: Pushed })[]>;
};

export type Desk = Till & {
  readonly deps: Deps;
  readonly keys: Keys;
  readonly ways: Ways;
  readonly sandboxUrl: string;
  readonly handlers: ReturnType<typeof notificationHandlers>;
  /** A device of this person, signed in and subscribed, that nobody but the test can read. */
  phone(caller: Caller): Promise<Phone>;
  /** Sends what is due now until nothing is; gives how many rounds had work. */
  send(ways?: Ways): Promise<number>;
  mailsTo(userId: string): Promise<Mail[]>;
  /** What shall go wrong next at the push service. */
  fault(how: string, more?: { times?: number; phone?: Phone }): Promise<void>;
};

/** The product without its HTTP, with a real mail server and push service that are looked into. */
export async function openDesk(kind: Kind): Promise<Desk> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-desk-'));
  const app = Fastify({ logger: false, forceCloseConnections: true });
  let url = '';
  const parts = { square: false, places: false, map: false, mail: true };
  const till = await openTill(kind);
  // The books of VAPID are kept by the wall clock: its library asks nobody else.
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: () => url });
  await sandbox.register(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  const config = {
    publicUrl: 'https://rubadub.example',
    supportEmail: 'help@rubadub.example',
    mailFrom: 'Rubadub <no-reply@rubadub.example>',
    smtpUrl: sandbox.smtpUrl ?? '',
    pushStandIn: `${url}/sandbox/push`,
  };
  const deps = { ...till.deps, config } as unknown as Deps;
  const keys = await openKeys(deps.db, deps.now());
  const push = openPushDoor({ keys: keys.vapid, supportEmail: config.supportEmail, standIn: config.pushStandIn });
  const ways = { post: openPost(config), push, keys };
  const handlers = notificationHandlers(deps, keys);
  const ask = async <T>(path: string): Promise<T> => (await (await fetch(`${url}/sandbox${path}`)).json()) as T;
  let phones = 0;
  return {
    ...till,
    deps,
    keys,
    ways,
    sandboxUrl: url,
    handlers,
    async phone(caller) {
      phones += 1;
      const own = makeKeys();
      const [token, endpoint] = [`token-${phones}`, `${url}/sandbox/push/phone-${phones}`];
      await insertSession(deps.db, digest(token), caller.id, deps.now());
      const body = { endpoint, keys: { p256dh: own.p256dh, auth: own.auth }, agent: `Phone ${phones}` };
      const { id } = await handlers.subscribePush({ caller, body, token } as never);
      return {
        id,
        endpoint,
        arrived: async () =>
          (await ask<Arrived[]>(`/push/messages?to=${encodeURIComponent(endpoint)}`))
            .map((one) => ({ ...one, push: JSON.parse(decrypt(Buffer.from(one.body, 'base64'), own)) as Pushed }))
            .toReversed(),
      };
    },
    send: (by = ways) => sendAll(deps, by),
    mailsTo: async (id) => (await ask<Mail[]>(`/mail/messages?to=${id}@rubadub.test`)).toReversed(),
    async fault(how, { times = 1, phone } = {}) {
      const headers = { 'content-type': 'application/json' };
      const to = phone?.endpoint.split('/').at(-1);
      const body = JSON.stringify({ how, times, to });
      const planned = await fetch(`${url}/sandbox/push/faults`, { method: 'POST', headers, body });
      if (planned.status !== 204) throw new Error(`there is no fault ${how}`);
    },
    async close() {
      ways.post.close();
      push.close();
      await app.close();
      await sandbox.close();
      await till.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const ROUNDS_MAXIMUM = 200;

/** As the workers do, without their pauses. */
export async function sendAll(
  deps: Deps,
  ways: Ways,
  channels: readonly Channel[] = ['mail', 'push'],
): Promise<number> {
  let rounds = 0;
  for (const channel of channels) {
    while (rounds < ROUNDS_MAXIMUM && (await sendDueMessages(deps, channel, ways))) rounds += 1;
  }
  return rounds;
}
