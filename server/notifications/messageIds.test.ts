import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NotificationHarness, openNotificationHarness } from '../../testing/notificationHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { publishOrderUpdate } from '../events/publish.ts';
import { type Mailer, openMailer } from '../outgoing/mailer.ts';
import { type DueMessage, queueMail, recordOutcome, takeDueMessage } from './outbox.sql.ts';
import { deleteNotices } from './queueNotifications.sql.ts';

const START = Date.parse('2026-11-18T12:00:00Z');

/** A mail server that keeps the mails, and says that it is busy when it has the first one of a Message-ID. */
async function startForgetfulMailServer() {
  const received: { to: string; subject: string; id: string }[] = [];
  const headerOf = (mail: string, name: string) =>
    new RegExp(`^${name}: *(.*)$`, 'im').exec(mail.replaceAll(/\r\n[ \t]+/g, ' '))?.[1]?.trim() ?? '';
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) =>
      void text(stream).then((mail) => {
        const [to, subject, id] = [headerOf(mail, 'To'), headerOf(mail, 'Subject'), headerOf(mail, 'Message-ID')];
        const isFirst = !received.some((one) => one.id === id);
        received.push({ to, subject, id });
        done(isFirst ? Object.assign(new Error('the disk is busy'), { responseCode: 451 }) : null);
      }),
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return { received, port, close: () => new Promise<void>((done) => server.close(() => done())) };
}

describe.each(RULE_DATABASES)('the Message-ID of a mail on %s', (kind) => {
  let harness: NotificationHarness;
  let mailServer: Awaited<ReturnType<typeof startForgetfulMailServer>>;
  let mailer: Mailer;
  let seconds = 0;
  beforeAll(async () => {
    harness = await openNotificationHarness(kind);
    mailServer = await startForgetfulMailServer();
    mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${mailServer.port}` });
  });
  afterAll(async () => {
    mailer?.close();
    await mailServer?.close();
    await harness?.close();
  });

  const wait = (more: number) => {
    seconds += more;
    harness.setClock(new Date(START + seconds * 1000).toISOString());
  };
  const notifyAccepted = (orderId: string) => {
    const update = { orderId, createdAt: harness.context.now().toISOString() };
    return publishOrderUpdate(harness.context.db, update, { notifies: { kind: 'accepted', to: ['Bud'] } });
  };
  /** Sends everything twice: the first try of each mail fails after the mail server got it. */
  const sendAll = async () => {
    for (let tries = 0; tries < 2; tries += 1) {
      await harness.send({ ...harness.transports, mailer }, ['account-mail', 'mail']);
      wait(10);
    }
  };
  const idsOf = (subject: string) => mailServer.received.filter((one) => one.subject === subject).map(({ id }) => id);

  test('is the same in every try, so that a receiver can drop what it got already', async () => {
    const mail = { id: newId(), recipient: 'ada@rubadub.test', subject: 'Your code', text: '1', html: '<p>1</p>' };
    await queueMail(harness.context.db, mail, harness.context.now());
    await harness.createOrder('Accepted');
    await sendAll();
    for (const subject of ['Your code', 'Your order is accepted']) {
      const ids = idsOf(subject);
      expect([subject, ids.length, new Set(ids).size]).toEqual([subject, 2, 1]);
    }
  });

  test('is another one when the same happens to an order again, because that is news', async () => {
    wait(60);
    const { db } = harness.context;
    const orderId = await harness.createOrder('Accepted');
    await sendAll();
    const before = new Set(idsOf('Your order is accepted'));
    // As when its Scrub gave it back, and another one accepts it.
    await deleteNotices(db, orderId, ['accepted']);
    await notifyAccepted(orderId);
    await sendAll();
    const news = idsOf('Your order is accepted').filter((id) => !before.has(id));
    expect([news.length, new Set(news).size]).toEqual([2, 1]);
  });

  test('is not recorded as sent by a worker that was still sending the mail before', async () => {
    wait(60);
    const { db, now } = harness.context;
    const orderId = await harness.createOrder('Accepted');
    const take = async () => {
      for (;;) {
        const message = await takeDueMessage(db, 'mail', { now: now(), leaseS: 60 });
        if (message === undefined || (message.kind === 'accepted' && message.about === orderId)) return message;
      }
    };
    const before = (await take()) as DueMessage;
    wait(1);
    await deleteNotices(db, orderId, ['accepted']);
    await notifyAccepted(orderId);
    const news = (await take()) as DueMessage;
    await recordOutcome(db, before, { state: 'sent' }, now());
    const stateOf = async () =>
      (await db.selectFrom('notifications').select(['state', 'kind']).where('about', '=', orderId).execute()).find(
        ({ kind: one }) => one === 'accepted',
      )?.state;
    expect(await stateOf()).toBe('due');
    await recordOutcome(db, news, { state: 'sent' }, now());
    expect(await stateOf()).toBe('sent');
  });
});
