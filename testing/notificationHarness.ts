import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import type { Caller } from '../domain/accounts.ts';
import { createPushKeys, decrypt } from '../sandbox/push/decrypt.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { digest } from '../server/auth/secrets.ts';
import type { Context } from '../server/context.ts';
import { notificationHandlers } from '../server/notifications/notifications.ts';
import type { OutboxChannel } from '../server/notifications/outbox.sql.ts';
import { openPushSender } from '../server/notifications/push.ts';
import { createOutboxSender, type Senders } from '../server/notifications/send.ts';
import { loadNotificationKeys, type NotificationKeys } from '../server/notifications/vapidKeys.ts';
import { openMailer } from '../server/outgoing/mailer.ts';
import { openPaymentHarness, type PaymentHarness } from './paymentHarness.ts';
import type { DatabaseKind } from './testServer.ts';

export type Mail = { id: string; to: string; subject: string; text: string; html: string; unsubscribe?: string };
export type PushContent = { title: string; body: string; url: string; tag: string };
export type PushMessage = { id: string; ttl: number; urgency: string; topic: string; publicKey: string; body: string };

export type PushDevice = {
  readonly id: string;
  readonly endpoint: string;
  /** The messages that the push service got for this device, and their decrypted content. Oldest first. */
  receivedMessages(): Promise<(PushMessage & { readonly push: PushContent })[]>;
};

export type NotificationHarness = PaymentHarness & {
  readonly context: Context;
  readonly vapidKeys: NotificationKeys;
  readonly transports: Senders;
  readonly sandboxUrl: string;
  readonly handlers: ReturnType<typeof notificationHandlers>;
  /** Signs the person in on a new device and subscribes it. */
  addDevice(caller: Caller): Promise<PushDevice>;
  /** Sends until nothing is due. Returns how many messages it tried to send. */
  send(senders?: Senders, channels?: readonly OutboxChannel[]): Promise<number>;
  mailsTo(userId: string): Promise<Mail[]>;
  /** Makes the push service fail the next `times` messages, optionally only those to `phone`. */
  failNextPush(how: string, options?: { times?: number; phone?: PushDevice }): Promise<void>;
};

/** Opens the server's features without HTTP, and the sandbox's mail server and push service. */
export async function openNotificationHarness(kind: DatabaseKind): Promise<NotificationHarness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-notifications-'));
  const app = Fastify({ logger: false, forceCloseConnections: true });
  let url = '';
  const parts = { square: false, places: false, map: false, mail: true };
  const payments = await openPaymentHarness(kind);
  // The sandbox uses the wall clock, because web-push signs its tokens with it.
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: () => url });
  await sandbox.register(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  const config = {
    ...payments.context.config,
    publicUrl: 'https://rubadub.example',
    supportEmail: 'help@rubadub.example',
    mailFrom: 'Rubadub <no-reply@rubadub.example>',
    smtpUrl: sandbox.smtpUrl ?? '',
    pushStandIn: `${url}/sandbox/push`,
  };
  const context = { ...payments.context, config } as unknown as Context;
  const vapidKeys = await loadNotificationKeys(context.db, context.now());
  const push = openPushSender({
    keys: vapidKeys.vapid,
    supportEmail: config.supportEmail,
    standIn: config.pushStandIn,
  });
  const transports = { mailer: openMailer(config), push, keys: vapidKeys };
  const handlers = notificationHandlers(context, vapidKeys);
  return {
    ...payments,
    context,
    vapidKeys,
    transports,
    sandboxUrl: url,
    handlers,
    addDevice: createDeviceFactory(context, handlers, url),
    send: (senders = transports, channels) => sendAll(context, senders, channels),
    mailsTo: async (id) => (await readSandbox<Mail[]>(url, `/mail/messages?to=${id}@rubadub.test`)).toReversed(),
    async failNextPush(how, { times = 1, phone } = {}) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ how, times, to: phone?.endpoint.split('/').at(-1) });
      const { status } = await fetch(`${url}/sandbox/push/faults`, { method: 'POST', headers, body });
      if (status !== 204) throw new Error(`the sandbox knows no push failure ${how}`);
    },
    async close() {
      transports.mailer.close();
      push.close();
      await app.close();
      await sandbox.close();
      await payments.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const readSandbox = async <T>(url: string, path: string) => (await (await fetch(`${url}/sandbox${path}`)).json()) as T;

function createDeviceFactory({ db, now }: Context, handlers: NotificationHarness['handlers'], url: string) {
  let count = 0;
  return async (caller: Caller): Promise<PushDevice> => {
    count += 1;
    const keys = createPushKeys();
    const [token, endpoint] = [`token-${count}`, `${url}/sandbox/push/phone-${count}`];
    const times = { created_at: now(), last_used_at: now() };
    await db
      .insertInto('sessions')
      .values({ token_hash: digest(token), user_id: caller.id, ...times })
      .execute();
    const body = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, agent: `Phone ${count}` };
    const { id } = await handlers.subscribePush({ caller, body, token } as never);
    const receivedMessages = async () => {
      const messages = await readSandbox<PushMessage[]>(url, `/push/messages?to=${encodeURIComponent(endpoint)}`);
      return messages
        .map((one) => ({ ...one, push: JSON.parse(decrypt(Buffer.from(one.body, 'base64'), keys)) as PushContent }))
        .toReversed();
    };
    return { id, endpoint, receivedMessages };
  };
}

const MAX_MESSAGES = 1_000;

/** Sends what is due, as the workers do but without their pauses. Returns how many messages it tried to send. */
export async function sendAll(
  context: Context,
  senders: Senders,
  channels: readonly OutboxChannel[] = ['mail', 'push'],
): Promise<number> {
  let messages = 0;
  for (const channel of channels) {
    const sender = createOutboxSender(context, channel, senders);
    // What is due may wait for the share of one that is being sent.
    const startNext = async () => (await sender.startNext()) || (await sender.settle().then(() => sender.startNext()));
    while (messages < MAX_MESSAGES && (await startNext())) messages += 1;
    await sender.settle();
  }
  return messages;
}
