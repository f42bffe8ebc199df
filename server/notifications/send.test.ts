import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import {
  type NotificationHarness,
  openNotificationHarness,
  type PushDevice,
} from '../../testing/notificationHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { digest } from '../auth/secrets.ts';
import { deleteSession, deleteSessionsOf } from '../auth/sessions.sql.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { openMailer } from '../outgoing/mailer.ts';
import { listUnsentMessages, queueMail, recordOutcome, takeDuePush } from './outbox.sql.ts';
import { openPushSender } from './push.ts';

const START = Date.parse('2026-11-18T12:00:00Z');

describe.each(RULE_DATABASES)('sending notifications on %s', (kind) => {
  let harness: NotificationHarness;
  let bud: Caller;
  let scrub: Caller;
  let phone: PushDevice;
  let seconds = 0;

  beforeAll(async () => {
    harness = await openNotificationHarness(kind);
    [bud, scrub] = [harness.users.buds[0], harness.users.scrubs[0]] as unknown as [Caller, Caller];
    phone = await harness.addDevice(bud);
  });
  afterAll(() => harness?.close());
  beforeEach(async () => {
    await queryRows(harness.context.db, sql`delete from notifications`);
    await queryRows(harness.context.db, sql`delete from notification_choices`);
  });

  const wait = (more: number) => {
    seconds += more;
    harness.setClock(new Date(START + seconds * 1000).toISOString());
  };
  const stateOf = (channel: 'mail' | 'push', of: Caller = bud) =>
    queryRow<{ state: string; tries: number; failure: string | null }>(
      harness.context.db,
      sql`select state, tries, failure from notifications where user_id = ${of.id} and channel = ${channel}
        order by created_at desc limit 1`,
    );
  const choose = (caller: Caller, body: object) => harness.handlers.chooseNotifications({ caller, body } as never);
  const counts = async () => [(await harness.mailsTo(bud.id)).length, (await phone.receivedMessages()).length] as const;
  const countNew = async (action: () => Promise<unknown>) => {
    const [mails, pushes] = await counts();
    await action();
    const [moreMails, morePushes] = await counts();
    return { mails: moreMails - mails, pushes: morePushes - pushes };
  };

  test('a person gets only the kinds and channels they chose, also for notifications that are already queued', async () => {
    await choose(bud, { kind: 'placed', mail: false });
    await choose(bud, { kind: 'accepted', push: false });
    // The harness places and accepts an order: placed goes by push only, accepted by mail only.
    expect(await countNew(() => harness.createOrder().then(() => harness.send()))).toEqual({ mails: 1, pushes: 1 });
    expect((await harness.mailsTo(bud.id)).at(-1)?.subject).toBe('Your order is accepted');
    const queued = sql`select kind, channel from notifications where user_id = ${bud.id} order by kind`;
    expect(await queryRows(harness.context.db, queued)).toEqual([
      { kind: 'accepted', channel: 'mail' },
      { kind: 'placed', channel: 'push' },
    ]);
    expect((await phone.receivedMessages()).at(-1)?.push.title).toContain('is placed');
    const turnOffAfterQueueing = async () => {
      await harness.createOrder();
      await choose(bud, { kind: 'placed', push: false });
      await choose(bud, { kind: 'accepted', mail: false });
      await harness.send();
    };
    expect(await countNew(turnOffAfterQueueing)).toEqual({ mails: 0, pushes: 0 });
    const dropped = await queryRows(
      harness.context.db,
      sql`select kind, channel, failure from notifications where state = 'dropped' order by kind`,
    );
    const failure = 'the recipient has turned this off';
    expect(dropped).toEqual([
      { kind: 'accepted', channel: 'mail', failure },
      { kind: 'placed', channel: 'push', failure },
    ]);
  });

  test('a push is retried when the push service is busy or unavailable, and is shown once', async () => {
    await harness.createOrder();
    await harness.send();
    for (const how of ['unavailable', 'busy', 'lost']) {
      await queryRows(harness.context.db, sql`delete from notifications`);
      await harness.failNextPush(how, { times: 2 });
      const arrived = (await phone.receivedMessages()).length;
      await harness.createOrder();
      await harness.send();
      expect(await stateOf('push'), how).toMatchObject({ state: 'due', tries: 1 });
      expect(await harness.send(), 'a retry waits until it is due').toBe(0);
      wait(4);
      await harness.send();
      const pushes = (await phone.receivedMessages()).slice(arrived);
      // If only the response was lost, the repeat has the same tag and topic, so it replaces the first.
      expect(new Set(pushes.map(({ push, topic }) => `${push.tag} ${topic}`)).size, how).toBe(2);
      expect(pushes.length, how).toBe(how === 'lost' ? 4 : 2);
      expect(await stateOf('push'), how).toMatchObject({ state: 'sent', tries: 2, failure: null });
    }
  });

  test('a push service that does not respond, never stops responding or redirects does not block the worker', async () => {
    const { vapid } = harness.vapidKeys;
    const options = {
      keys: vapid,
      supportEmail: 'a@b.example',
      standIn: `${harness.sandboxUrl}/sandbox/push`,
      timeoutMs: 150,
    };
    const impatient = { ...harness.transports, push: openPushSender(options) };
    await choose(bud, { kind: 'placed', push: false });
    const states: unknown[] = [];
    for (const how of ['silent', 'endless', 'redirect', 'refused']) {
      await queryRows(harness.context.db, sql`delete from notifications`);
      await harness.failNextPush(how);
      await harness.createOrder();
      await harness.send(how === 'silent' ? impatient : harness.transports);
      states.push([how, await stateOf('push')]);
    }
    impatient.push.close();
    expect(states).toMatchObject([
      ['silent', { state: 'due', failure: 'the push service did not answer in time' }],
      ['endless', { state: 'sent' }],
      ['redirect', { state: 'given-up', failure: expect.stringContaining('answered 307') }],
      ['refused', { state: 'given-up', failure: expect.stringContaining('answered 403') }],
    ]);
    const redirected = await fetch(`${harness.sandboxUrl}/sandbox/push/messages?to=redirected`);
    expect(await redirected.json()).toEqual([]);
    const givenUp = await listUnsentMessages(harness.context.db, 10, harness.context.now());
    expect(givenUp[0]).toMatchObject({ kind: 'accepted', channel: 'push', email: `${bud.id}@rubadub.test` });
  });

  test('a device is deleted when the push service does not know it any more', async () => {
    for (const how of ['gone', 'missing']) {
      const unknown = await harness.addDevice(scrub);
      await harness.failNextPush(how, { phone: unknown });
      await harness.createOrder();
      await harness.send();
      expect(await stateOf('push', scrub), how).toMatchObject({ state: 'dropped' });
      const { devices } = await harness.handlers.notifications({ caller: scrub } as never);
      expect(devices.map(({ id }) => id)).not.toContain(unknown.id);
    }
  });

  test('a mail is retried while the mail server is unavailable, and given up with the reason when the server rejects it', async () => {
    const closedServer = createServer().listen(0, '127.0.0.1');
    await once(closedServer, 'listening');
    const { port } = closedServer.address() as { port: number };
    closedServer.close();
    await once(closedServer, 'close');
    const unavailable = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}` });
    const rejectingServer = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('no such person here'), { responseCode: 550 })),
    });
    rejectingServer.listen(0, '127.0.0.1');
    await once(rejectingServer.server, 'listening');
    const rejectingPort = (rejectingServer.server.address() as { port: number }).port;
    const rejecting = openMailer({ smtpUrl: `smtp://127.0.0.1:${rejectingPort}` });

    const retry = async () => {
      await harness.createOrder();
      await harness.send({ ...harness.transports, mailer: unavailable });
      expect(await stateOf('mail')).toMatchObject({
        state: 'due',
        tries: 1,
        failure: expect.stringContaining('ECONNREFUSED'),
      });
      wait(2);
      await harness.send();
      await harness.send();
    };
    expect(await countNew(retry)).toMatchObject({ mails: 2 });
    await harness.createOrder();
    await harness.send({ ...harness.transports, mailer: rejecting });
    expect(await stateOf('mail')).toMatchObject({
      state: 'given-up',
      failure: expect.stringContaining('no such person here'),
    });
    const code = { id: newId(), recipient: 'nobody@rubadub.test', subject: 'Your code', text: '123456', html: '' };
    await queueMail(harness.context.db, code, harness.context.now());
    expect(await harness.send({ ...harness.transports, mailer: rejecting }, ['account-mail'])).toBe(1);
    const givenUp = (await listUnsentMessages(harness.context.db, 10, harness.context.now())).find(
      ({ about }) => about === code.id,
    );
    expect(givenUp).toMatchObject({
      kind: 'account',
      email: code.recipient,
      why: expect.stringContaining('no such person'),
    });
    unavailable.close();
    rejecting.close();
    await new Promise<void>((done) => rejectingServer.close(() => done()));
  });

  test('when a worker stops before it records a push, another one sends it after the lease, and a late record is ignored', async () => {
    await harness.createOrder();
    const nobody = { people: [], hosts: [], provenHosts: undefined };
    const leased = await takeDuePush(harness.context.db, nobody, { now: harness.context.now(), leaseS: 120 });
    if (!leased) throw new Error('nothing was due');
    const [before, otherWasSent] = [(await phone.receivedMessages()).length, (await harness.send()) > 0];
    expect(otherWasSent).toBe(true);
    expect((await phone.receivedMessages()).length - before, 'a leased push is not sent by another worker').toBe(1);
    wait(119);
    expect(await harness.send()).toBe(0);
    wait(1);
    await harness.send();
    expect((await phone.receivedMessages()).length - before).toBe(2);
    // The first worker was only slow.
    await recordOutcome(
      harness.context.db,
      leased,
      { state: 'due', why: 'slow', dueAt: harness.context.now() },
      harness.context.now(),
    );
    expect(await harness.send()).toBe(0);
  });

  test('a device gets no push after its person signs out there, or after another person subscribes the same browser', async () => {
    const [mine, other] = [await harness.addDevice(bud), harness.users.buds[1] as unknown as Caller];
    const tokenOf = (one: PushDevice) => `token-${one.endpoint.split('-').at(-1)}`;
    await harness.createOrder();
    await deleteSession(harness.context.db, digest(tokenOf(mine)));
    await harness.send();
    expect(await mine.receivedMessages()).toEqual([]);

    const shared = await harness.addDevice(bud);
    await harness.createOrder();
    const [device] = await queryRows<{ p256dh: string; auth: string }>(
      harness.context.db,
      sql`select p256dh, auth from push_subscriptions where id = ${shared.id}`,
    );
    const session = await harness.addDevice(other);
    const body = { endpoint: shared.endpoint, keys: device, agent: 'The same browser' };
    await harness.handlers.subscribePush({ caller: other, body, token: tokenOf(session) } as never);
    await harness.send();
    expect(await shared.receivedMessages(), 'a push for the first person is not shown to the second').toEqual([]);

    await deleteSessionsOf(harness.context.db, bud.id);
    expect((await harness.handlers.notifications({ caller: bud } as never)).devices).toEqual([]);
    expect((await harness.handlers.notifications({ caller: other } as never)).devices).toHaveLength(2);
    phone = await harness.addDevice(bud);
  });

  test('an eleventh device replaces the oldest one of a person', async () => {
    const person = harness.users.buds[2] as unknown as Caller;
    const phones: PushDevice[] = [];
    for (let count = 0; count < 11; count += 1) phones.push(await harness.addDevice(person));
    const { devices } = await harness.handlers.notifications({ caller: person } as never);
    expect(devices.map(({ id }) => id)).toEqual(phones.slice(1).map(({ id }) => id));
  });

  test('a push that could not be sent within a day is of no use any more and dropped', async () => {
    await queryRows(
      harness.context.db,
      sql`insert into notifications (kind, about, channel, target, user_id, state, created_at, due_at)
        select 'accepted', id, 'push', ${phone.id}, ${bud.id}, 'due',
          ${harness.context.now()}::timestamptz - interval '25 hours', ${harness.context.now()} from orders limit 1`,
    );
    expect(await countNew(() => harness.send())).toEqual({ mails: 0, pushes: 0 });
    expect((await stateOf('push'))?.state).toBe('dropped');
  });
});
