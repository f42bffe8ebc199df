import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import type { Caller } from '../domain/accounts.ts';
import type { Channel } from '../domain/notifications.ts';
import { createPushKeys, decrypt } from '../sandbox/push/decrypt.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { digest } from '../server/auth/secrets.ts';
import { insertSession } from '../server/auth/sessions.sql.ts';
import type { Context } from '../server/context.ts';
import { openMailer } from '../server/mail/send.ts';
import { notificationHandlers } from '../server/notifications/notifications.ts';
import { openPushSender } from '../server/notifications/push.ts';
import { type Senders, sendDueNotifications } from '../server/notifications/send.ts';
import { loadNotificationKeys, type NotificationKeys } from '../server/notifications/vapidKeys.ts';
import { openPaymentHarness, type PaymentHarness } from './paymentHarness.ts';
import type { DatabaseKind } from './testServer.ts';

export type Mail = { id: string; to: string; subject: string; text: string; html: string; unsubscribe?: string };
export type PushContent = { title: string; body: string; url: string; tag: string };
export type PushMessage = { id: string; ttl: number; urgency: string; topic: string; publicKey: string; body: string };

export type PushDevice = {
  readonly id: string;
  readonly endpoint: string;
  /** What arrived for it, as it came and as its keys read it; oldest first. */
  receivedMessages(): Promise<(PushMessage & { readonly push: PushContent })[]>;
};

export type NotificationHarness = PaymentHarness & {
  readonly context: Context;
  readonly vapidKeys: NotificationKeys;
  readonly transports: Senders;
  readonly sandboxUrl: string;
  readonly handlers: ReturnType<typeof notificationHandlers>;
  /** A device of this person, signed in and subscribed, that nobody but the test can read. */
  addDevice(caller: Caller): Promise<PushDevice>;
  /** Sends what is due now until nothing is; gives how many rounds had work. */
  send(ways?: Senders): Promise<number>;
  mailsTo(userId: string): Promise<Mail[]>;
  /** What shall go wrong next at the push service. */
  failNextPush(how: string, more?: { times?: number; phone?: PushDevice }): Promise<void>;
};

/** The product without its HTTP, with a real mail server and push service that are looked into. */
export async function openNotificationHarness(kind: DatabaseKind): Promise<NotificationHarness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-desk-'));
  const app = Fastify({ logger: false, forceCloseConnections: true });
  let url = '';
  const parts = { square: false, places: false, map: false, mail: true };
  const till = await openPaymentHarness(kind);
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
  const deps = { ...till.context, config } as unknown as Context;
  const keys = await loadNotificationKeys(deps.db, deps.now());
  const push = openPushSender({ keys: keys.vapid, supportEmail: config.supportEmail, standIn: config.pushStandIn });
  const ways = { mailer: openMailer(config), push, keys };
  const handlers = notificationHandlers(deps, keys);
  const ask = async <T>(path: string): Promise<T> => (await (await fetch(`${url}/sandbox${path}`)).json()) as T;
  let phones = 0;
  return {
    ...till,
    context: deps,
    vapidKeys: keys,
    transports: ways,
    sandboxUrl: url,
    handlers,
    async addDevice(caller) {
      phones += 1;
      const own = createPushKeys();
      const [token, endpoint] = [`token-${phones}`, `${url}/sandbox/push/phone-${phones}`];
      await insertSession(deps.db, digest(token), caller.id, deps.now());
      const body = { endpoint, keys: { p256dh: own.p256dh, auth: own.auth }, agent: `Phone ${phones}` };
      const { id } = await handlers.subscribePush({ caller, body, token } as never);
      return {
        id,
        endpoint,
        receivedMessages: async () =>
          (await ask<PushMessage[]>(`/push/messages?to=${encodeURIComponent(endpoint)}`))
            .map((one) => ({ ...one, push: JSON.parse(decrypt(Buffer.from(one.body, 'base64'), own)) as PushContent }))
            .toReversed(),
      };
    },
    send: (by = ways) => sendAll(deps, by),
    mailsTo: async (id) => (await ask<Mail[]>(`/mail/messages?to=${id}@rubadub.test`)).toReversed(),
    async failNextPush(how, { times = 1, phone } = {}) {
      const headers = { 'content-type': 'application/json' };
      const to = phone?.endpoint.split('/').at(-1);
      const body = JSON.stringify({ how, times, to });
      const planned = await fetch(`${url}/sandbox/push/faults`, { method: 'POST', headers, body });
      if (planned.status !== 204) throw new Error(`there is no fault ${how}`);
    },
    async close() {
      ways.mailer.close();
      push.close();
      await app.close();
      await sandbox.close();
      await till.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const MAX_RUNS = 200;

/** As the workers do, without their pauses. */
export async function sendAll(
  deps: Context,
  ways: Senders,
  channels: readonly Channel[] = ['mail', 'push'],
): Promise<number> {
  let rounds = 0;
  for (const channel of channels) {
    while (rounds < MAX_RUNS && (await sendDueNotifications(deps, channel, ways))) rounds += 1;
  }
  return rounds;
}
