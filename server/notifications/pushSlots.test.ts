import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import { createPushKeys } from '../../sandbox/push/decrypt.ts';
import {
  type NotificationHarness,
  openNotificationHarness,
  type PushDevice,
} from '../../testing/notificationHarness.ts';
import { insertUsers } from '../../testing/paymentStress/users.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { digest } from '../auth/secrets.ts';
import { queryRows } from '../db/database.ts';
import { saveDevice } from './devices.sql.ts';
import { openPushSender, type PushSender } from './push.ts';
import { createPushSlots, PUSH_SLOTS } from './pushSlots.ts';
import { startOutboxWorkers } from './workers.ts';

const KINDS = ['placed', 'accepted', 'rejected', 'expired'] as const;
const ORDERS = 5;
/** Longer than any run of these tests. */
const NEVER_MS = 600_000;

type Tarpit = { readonly server: Server; readonly origin: string; pending: number; ended: number };

/** A push service that accepts every connection and never answers. */
async function openTarpit(): Promise<Tarpit> {
  const server = createServer((request) => {
    tarpit.pending += 1;
    request.socket.once('close', () => {
      tarpit.ended += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tarpit: Tarpit = { server, origin, pending: 0, ended: 0 };
  return tarpit;
}

describe.each(RULE_DATABASES)('pushes beside push services that never answer, on %s', (kind) => {
  let harness: NotificationHarness;
  let stranger: Caller;
  let phone: PushDevice;
  let orders: readonly string[];

  beforeAll(async () => {
    harness = await openNotificationHarness(kind);
    stranger = harness.users.buds[0] as unknown as Caller;
    phone = await harness.addDevice(stranger);
    const created: string[] = [];
    for (let count = 0; count < ORDERS; count += 1) created.push(await harness.createOrder());
    orders = created;
    await harness.send();
  });
  afterAll(() => harness?.close());

  async function addTarpitDevice(userId: string, { origin }: Tarpit): Promise<string> {
    const { db, now } = harness.context;
    const [id, keys, sessionHash] = [newId(), createPushKeys(), digest(newId())];
    const endpoint = `${origin}/${id}`;
    const session = { token_hash: sessionHash, user_id: userId, created_at: now(), last_used_at: now() };
    await db.insertInto('sessions').values(session).execute();
    const device = { id, userId, sessionHash, endpoint, endpointHash: digest(endpoint), agent: 'A tarpit' };
    await saveDevice(db, { ...device, p256dh: keys.p256dh, auth: keys.auth }, now());
    return id;
  }

  /** Queues four kinds of pushes about five orders for each device, `secondsAgo`. */
  async function queuePushes(devices: readonly { userId: string; id: string }[], secondsAgo: number): Promise<void> {
    const at = new Date(harness.context.now().getTime() - secondsAgo * 1000);
    await queryRows(
      harness.context.db,
      sql`insert into notifications (kind, about, channel, target, user_id, state, created_at, due_at)
        select kind, about, 'push', d.target, d.user_id, 'due', ${at}::timestamptz, ${at}::timestamptz
        from unnest(${KINDS}::text[]) kind, unnest(${orders}::uuid[]) about,
          unnest(${devices.map(({ id }) => id)}::uuid[], ${devices.map(({ userId }) => userId)}::uuid[])
            as d (target, user_id)`,
    );
  }

  /** Runs the workers until the stranger has 20 pushes, and returns what the tarpits had got by then. */
  async function sendBeside(tarpits: readonly Tarpit[]): Promise<{ pending: number; ended: number }> {
    const { vapidKeys, transports, context } = harness;
    const openFor = ({ origin }: Tarpit): [string, PushSender] => [
      origin,
      openPushSender({ keys: vapidKeys.vapid, supportEmail: 'a@b.example', standIn: origin, timeoutMs: NEVER_MS }),
    ];
    const senders = new Map(tarpits.map(openFor));
    const push: PushSender = {
      send: (target, ...rest) =>
        (senders.get(new URL(target.endpoint).origin) ?? transports.push).send(target, ...rest),
      close: () => {},
    };
    const workers = startOutboxWorkers(context, vapidKeys, { push });
    const sum = (of: 'pending' | 'ended') => tarpits.reduce((total, tarpit) => total + tarpit[of], 0);
    try {
      await waitFor(async () => {
        expect(sum('pending')).toBeGreaterThan(0);
        expect(await phone.receivedMessages()).toHaveLength(KINDS.length * ORDERS);
      });
      return { pending: sum('pending'), ended: sum('ended') };
    } finally {
      const stopped = workers.stop();
      for (const { server } of tarpits) {
        server.closeAllConnections();
        server.close();
      }
      await stopped;
      for (const sender of senders.values()) sender.close();
    }
  }

  async function sendToStrangerBeside(attackers: readonly string[], tarpits: readonly Tarpit[], devicesEach: number) {
    const { db } = harness.context;
    await queryRows(db, sql`delete from push_subscriptions where id <> ${phone.id}`);
    await queryRows(db, sql`delete from notifications`);
    const devices: { userId: string; id: string }[] = [];
    for (const userId of attackers) {
      for (let count = 0; count < devicesEach; count += 1) {
        const tarpit = tarpits[devices.length % tarpits.length] as Tarpit;
        devices.push({ userId, id: await addTarpitDevice(userId, tarpit) });
      }
    }
    phone = await harness.addDevice(stranger);
    await queryRows(db, sql`update push_subscriptions set last_used_at = created_at where id = ${phone.id}`);
    await queuePushes(devices, 60);
    await queuePushes([{ userId: stranger.id, id: phone.id }], 1);
    return sendBeside(tarpits);
  }

  test('one person with ten such devices holds two slots, and a stranger gets every push meanwhile', async () => {
    const tarpits = await Promise.all(Array.from({ length: 10 }, openTarpit));
    const [attacker] = harness.users.dubers;
    const { pending, ended } = await sendToStrangerBeside([attacker?.id ?? ''], tarpits, 10);
    expect({ pending, ended }).toEqual({ pending: 2, ended: 0 });
  });

  test('such devices of one push service hold one slot, for all people together', async () => {
    const tarpit = await openTarpit();
    const attackers = harness.users.dubers.map(({ id }) => id);
    expect(await sendToStrangerBeside(attackers, [tarpit], 3)).toEqual({ pending: 1, ended: 0 });
  });

  test('twenty people with two such devices each, on forty hosts, hold half of the slots', async () => {
    const tarpits = await Promise.all(Array.from({ length: 40 }, openTarpit));
    const { buds } = await insertUsers(harness.context.db, 20, harness.context.now());
    const attackers = buds.map(({ id }) => id);
    const { pending, ended } = await sendToStrangerBeside(attackers, tarpits, 2);
    expect({ pending, ended }).toEqual({ pending: PUSH_SLOTS / 2, ended: 0 });
  });

  test('a device whose push service has not answered five times in ten minutes is deleted, and another one is not', async () => {
    const { db } = harness.context;
    await queryRows(db, sql`delete from push_subscriptions`);
    await queryRows(db, sql`delete from notifications`);
    const [silent, other] = [await harness.addDevice(stranger), await harness.addDevice(stranger)];
    await harness.failNextPush('lost', { times: 1_000, phone: silent });
    const devices = [silent, other].map(({ id }) => ({ userId: stranger.id, id }));
    await queuePushes(devices, 0);
    const deviceIds = async () =>
      (await harness.handlers.notifications({ caller: stranger } as never)).devices.map(({ id }) => id);
    const start = harness.context.now().getTime();
    for (const seconds of [0, 60, 120, 180, 240, 300, 599]) {
      harness.setClock(new Date(start + seconds * 1000).toISOString());
      await harness.send();
      expect(await deviceIds()).toEqual([silent.id, other.id]);
    }
    harness.setClock(new Date(start + 3_600_000).toISOString());
    await harness.send();
    expect(await deviceIds()).toEqual([other.id]);
    expect(await other.receivedMessages()).toHaveLength(KINDS.length * ORDERS);
  });
});

describe('the shares of pushes', () => {
  test('a host earns a slot with each quick answer, loses half with a slow one, and all with none', () => {
    const shares = createPushSlots();
    const push = (answer: 'quick' | 'slow' | 'none') => shares.take({ userId: newId(), host: 'push.example' })(answer);
    const countSlots = () => {
      const frees: (() => void)[] = [];
      while (!shares.busy().hosts.includes('push.example')) {
        const free = shares.take({ userId: newId(), host: 'push.example' });
        frees.push(() => free(undefined));
      }
      for (const free of frees) free();
      return frees.length;
    };
    expect(countSlots()).toBe(1);
    for (let count = 0; count < 8; count += 1) push('quick');
    expect(countSlots()).toBe(8);
    push('slow');
    expect(countSlots()).toBe(4);
    push('none');
    expect(countSlots()).toBe(1);
    for (let count = 0; count < 100; count += 1) push('quick');
    expect(countSlots()).toBe(PUSH_SLOTS);
  });

  test("a browser's own push service has all slots, and half of them while it does not answer", () => {
    const shares = createPushSlots();
    const hosts = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];
    for (const host of hosts) {
      const frees = Array.from({ length: PUSH_SLOTS - 1 }, () => shares.take({ userId: newId(), host }));
      expect(shares.busy()).toMatchObject({ hosts: [], provenHosts: undefined });
      for (const free of frees) free('none');
    }
    const half = Array.from({ length: PUSH_SLOTS / 2 }, () => shares.take({ userId: newId(), host: hosts[0] ?? '' }));
    expect(shares.busy().hosts).toEqual(['fcm.googleapis.com']);
    for (const free of half) free('quick');
    expect(shares.busy().hosts).toEqual([]);
  });
});
