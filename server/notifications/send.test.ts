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
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { digest } from '../auth/secrets.ts';
import { deleteSession, deleteSessionsOf } from '../auth/sessions.sql.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { queueMail } from '../mail/mail.sql.ts';
import { openMailer, sendDueMail } from '../mail/send.ts';
import { openPushSender } from './push.ts';
import { listGivenUpNotifications, recordOutcome, takeDueNotifications } from './send.sql.ts';

const START = Date.parse('2026-11-18T12:00:00Z');

describe.each(DATABASE_KINDS)('sending messages on %s', (kind) => {
  let desk: NotificationHarness;
  let bud: Caller;
  let scrub: Caller;
  let phone: PushDevice;
  let seconds = 0;

  beforeAll(async () => {
    desk = await openNotificationHarness(kind);
    [bud, scrub] = [desk.users.buds[0], desk.users.scrubs[0]] as unknown as [Caller, Caller];
    phone = await desk.addDevice(bud);
  });
  afterAll(() => desk?.close());
  beforeEach(async () => {
    await queryRows(desk.context.db, sql`delete from notifications`);
    await queryRows(desk.context.db, sql`delete from notification_choices`);
  });

  const wait = (more: number) => {
    seconds += more;
    desk.setClock(new Date(START + seconds * 1000).toISOString());
  };
  const stateOf = (channel: 'mail' | 'push', of: Caller = bud) =>
    queryRow<{ state: string; tries: number; failure: string | null }>(
      desk.context.db,
      sql`select state, tries, failure from notifications where user_id = ${of.id} and channel = ${channel}
        order by created_at desc limit 1`,
    );
  const choose = (caller: Caller, body: object) => desk.handlers.chooseNotifications({ caller, body } as never);
  const counts = async () => [(await desk.mailsTo(bud.id)).length, (await phone.receivedMessages()).length] as const;
  const news = async (happening: () => Promise<unknown>) => {
    const [mails, pushes] = await counts();
    await happening();
    const [moreMails, morePushes] = await counts();
    return { mails: moreMails - mails, pushes: morePushes - pushes };
  };

  test('what somebody chose is respected, also by what waits already', async () => {
    await choose(bud, { kind: 'placed', mail: false });
    await choose(bud, { kind: 'accepted', push: false });
    // Placed by push, accepted by mail.
    expect(await news(() => desk.createOrder().then(() => desk.send()))).toEqual({ mails: 1, pushes: 1 });
    expect((await desk.mailsTo(bud.id)).at(-1)?.subject).toContain('accepted your order');
    const written = sql`select kind, channel from notifications where user_id = ${bud.id} order by kind`;
    expect(await queryRows(desk.context.db, written)).toEqual([
      { kind: 'accepted', channel: 'mail' },
      { kind: 'placed', channel: 'push' },
    ]);
    expect((await phone.receivedMessages()).at(-1)?.push.title).toContain('is placed');
    const late = async () => {
      await desk.createOrder();
      await choose(bud, { kind: 'placed', push: false });
      await choose(bud, { kind: 'accepted', mail: false });
      await desk.send();
    };
    expect(await news(late)).toEqual({ mails: 0, pushes: 0 });
    const dropped = await queryRows(
      desk.context.db,
      sql`select kind, channel, failure from notifications where state = 'dropped' order by kind`,
    );
    const failure = 'it is not wanted any more';
    expect(dropped).toEqual([
      { kind: 'accepted', channel: 'mail', failure },
      { kind: 'placed', channel: 'push', failure },
    ]);
  });

  test('a push service that is busy or away is asked again, ever more slowly, and the push shows once', async () => {
    await desk.createOrder();
    await desk.send();
    for (const how of ['unavailable', 'busy', 'lost']) {
      await queryRows(desk.context.db, sql`delete from notifications`);
      await desk.failNextPush(how, { times: 2 });
      const arrived = (await phone.receivedMessages()).length;
      await desk.createOrder();
      await desk.send();
      expect(await stateOf('push'), how).toMatchObject({ state: 'due', tries: 1 });
      expect(await desk.send(), 'not before its time').toBe(0);
      wait(4);
      await desk.send();
      const pushes = (await phone.receivedMessages()).slice(arrived);
      // Whoever lost only the answer shows the message under the same tag and topic, in the place of the first.
      expect(new Set(pushes.map(({ push, topic }) => `${push.tag} ${topic}`)).size, how).toBe(2);
      expect(pushes.length, how).toBe(how === 'lost' ? 4 : 2);
      expect(await stateOf('push'), how).toMatchObject({ state: 'sent', tries: 2, failure: null });
    }
  });

  test('a push service that is silent, talks for ever or sends us elsewhere costs little and leads nowhere', async () => {
    const { vapid } = desk.vapidKeys;
    const door = {
      keys: vapid,
      supportEmail: 'a@b.example',
      standIn: `${desk.sandboxUrl}/sandbox/push`,
      timeoutMs: 150,
    };
    const hurried = { ...desk.transports, push: openPushSender(door) };
    await choose(bud, { kind: 'placed', push: false });
    const states: unknown[] = [];
    for (const how of ['silent', 'endless', 'redirect', 'refused']) {
      await queryRows(desk.context.db, sql`delete from notifications`);
      await desk.failNextPush(how);
      await desk.createOrder();
      await desk.send(how === 'silent' ? hurried : desk.transports);
      states.push([how, await stateOf('push')]);
    }
    hurried.push.close();
    expect(states).toMatchObject([
      ['silent', { state: 'due', failure: 'the push service did not answer in time' }],
      ['endless', { state: 'sent' }],
      ['redirect', { state: 'given-up', failure: expect.stringContaining('answered 307') }],
      ['refused', { state: 'given-up', failure: expect.stringContaining('answered 403') }],
    ]);
    const elsewhere = await fetch(`${desk.sandboxUrl}/sandbox/push/messages?to=redirected`);
    expect(await elsewhere.json()).toEqual([]);
    const told = await listGivenUpNotifications(desk.context.db, 10);
    expect(told[0]).toMatchObject({ kind: 'accepted', channel: 'push', email: `${bud.id}@rubadub.test` });
  });

  test('a device that the push service does not know any more is forgotten', async () => {
    for (const how of ['gone', 'missing']) {
      const lost = await desk.addDevice(scrub);
      await desk.failNextPush(how, { phone: lost });
      await desk.createOrder();
      await desk.send();
      expect(await stateOf('push', scrub), how).toMatchObject({ state: 'dropped' });
      const { devices } = await desk.handlers.notifications({ caller: scrub } as never);
      expect(devices.map(({ id }) => id)).not.toContain(lost.id);
    }
  });

  test('a mail server that is away gets the mail later, once; one that says never ends it, with its reason', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const { port } = nobody.address() as { port: number };
    nobody.close();
    await once(nobody, 'close');
    const away = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'a@b.example' });
    const refusing = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('no such person here'), { responseCode: 550 })),
    });
    refusing.listen(0, '127.0.0.1');
    await once(refusing.server, 'listening');
    const refusingPort = (refusing.server.address() as { port: number }).port;
    const strict = openMailer({ smtpUrl: `smtp://127.0.0.1:${refusingPort}`, mailFrom: 'a@b.example' });

    const later = async () => {
      await desk.createOrder();
      await desk.send({ ...desk.transports, mailer: away });
      expect(await stateOf('mail')).toMatchObject({
        state: 'due',
        tries: 1,
        failure: expect.stringContaining('ECONNREFUSED'),
      });
      wait(2);
      await desk.send();
      await desk.send();
    };
    expect(await news(later)).toMatchObject({ mails: 2 });
    await desk.createOrder();
    await desk.send({ ...desk.transports, mailer: strict });
    expect(await stateOf('mail')).toMatchObject({
      state: 'given-up',
      failure: expect.stringContaining('no such person here'),
    });
    const code = { id: newId(), recipient: 'nobody@rubadub.test', subject: 'Your code', text: '123456', html: '' };
    await queueMail(desk.context.db, code, desk.context.now());
    expect(await sendDueMail(desk.context, strict)).toBe(true);
    const told = (await listGivenUpNotifications(desk.context.db, 10)).find(({ about }) => about === code.id);
    expect(told).toMatchObject({
      kind: 'account',
      email: code.recipient,
      why: expect.stringContaining('no such person'),
    });
    away.close();
    strict.close();
    await new Promise<void>((done) => refusing.close(() => done()));
  });

  test('who dies between sending and writing down leaves it to the next, after a time; who is only slow changes nothing', async () => {
    await desk.createOrder();
    const [dead, ...rest] = await takeDueNotifications(desk.context.db, 'push', {
      now: desk.context.now(),
      leaseS: 120,
      limit: 1,
    });
    if (!dead) throw new Error('nothing was due');
    expect(rest).toEqual([]);
    const [before, others] = [(await phone.receivedMessages()).length, (await desk.send()) > 0];
    expect(others).toBe(true);
    expect((await phone.receivedMessages()).length - before, 'the one that is under way is nobody else’s').toBe(1);
    wait(119);
    expect(await desk.send()).toBe(0);
    wait(1);
    await desk.send();
    expect((await phone.receivedMessages()).length - before).toBe(2);
    // It wakes up after all.
    await recordOutcome(
      desk.context.db,
      dead,
      { state: 'due', why: 'slow', dueAt: desk.context.now() },
      desk.context.now(),
    );
    expect(await desk.send()).toBe(0);
  });

  test('a device gets nothing once its person has signed out there, or somebody else uses the browser', async () => {
    const [mine, other] = [await desk.addDevice(bud), desk.users.buds[1] as unknown as Caller];
    const tokenOf = (one: PushDevice) => `token-${one.endpoint.split('-').at(-1)}`;
    await desk.createOrder();
    await deleteSession(desk.context.db, digest(tokenOf(mine)));
    await desk.send();
    expect(await mine.receivedMessages()).toEqual([]);

    const shared = await desk.addDevice(bud);
    await desk.createOrder();
    const [device] = await queryRows<{ p256dh: string; auth: string }>(
      desk.context.db,
      sql`select p256dh, auth from push_subscriptions where id = ${shared.id}`,
    );
    const session = await desk.addDevice(other);
    const body = { endpoint: shared.endpoint, keys: device, agent: 'The same' };
    await desk.handlers.subscribePush({ caller: other, body, token: tokenOf(session) } as never);
    await desk.send();
    expect(await shared.receivedMessages(), 'what waited for the first is not shown to the second').toEqual([]);

    await deleteSessionsOf(desk.context.db, bud.id);
    expect((await desk.handlers.notifications({ caller: bud } as never)).devices).toEqual([]);
    expect((await desk.handlers.notifications({ caller: other } as never)).devices).toHaveLength(2);
    phone = await desk.addDevice(bud);
  });

  test('a person has ten devices at most: the oldest goes', async () => {
    const someone = desk.users.buds[2] as unknown as Caller;
    const phones: PushDevice[] = [];
    for (let many = 0; many < 11; many += 1) phones.push(await desk.addDevice(someone));
    const { devices } = await desk.handlers.notifications({ caller: someone } as never);
    expect(devices.map(({ id }) => id)).toEqual(phones.slice(1).map(({ id }) => id));
  });

  test('a push that can leave only a day later is not worth showing any more', async () => {
    await queryRows(
      desk.context.db,
      sql`insert into notifications (kind, about, channel, target, user_id, state, created_at, due_at)
        select 'accepted', id, 'push', ${phone.id}, ${bud.id}, 'due',
          ${desk.context.now()}::timestamptz - interval '25 hours', ${desk.context.now()} from orders limit 1`,
    );
    expect(await news(() => desk.send())).toEqual({ mails: 0, pushes: 0 });
    expect((await stateOf('push'))?.state).toBe('given-up');
  });
});
