import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Audience } from '../../domain/broadcasts.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { localDate, startOfLocalDay } from '../../domain/localDays.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { MAIL_SERVER_FAILED } from '../outgoing/mailer.ts';

const WORDS = 'Take Mill Road until Sunday.\nThank you!';

describe.each(RULE_DATABASES)('messages to many, on %s', (kind) => {
  let testServer: TestServer;
  let ada: TestOperator;
  let duber: TestUser;
  let bud: TestUser;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
    [duber, bud] = await Promise.all([testServer.createUser('Duber'), testServer.createUser('Bud')]);
    // Noon, so that no day ends by itself.
    testServer.advanceClock(startOfTomorrow().getTime() - testServer.now().getTime() + 12 * 60 * MINUTE_MS);
    ada = await createOperator(testServer, { caps: ['messages', 'admin', 'see'] });
  });
  afterAll(() => testServer?.close());

  const startOfTomorrow = () => new Date(startOfLocalDay(localDate(testServer.now(), 'UTC'), 'UTC').getTime() + DAY_MS);
  const send = (to: Audience, title: string, isUrgent = false) =>
    ada.api.sendBroadcast({ body: { to, title, words: WORDS, isUrgent, reason: 'The river is high' } });
  const find = async (title: string) =>
    (await ada.api.listBroadcasts({ query: {} })).items.find((one) => one.title === title);
  const subjectsTo = async ({ user }: TestUser) => {
    const answer = await fetch(`${testServer.sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(user.email)}`);
    return ((await answer.json()) as { subject: string }[]).map(({ subject }) => subject);
  };

  test('reach everybody of a role who wants them, and nobody else', async () => {
    const quiet = await testServer.createUser('Duber');
    await quiet.api.chooseNotifications({ body: { kind: 'town', mail: false, push: true } });
    expect(await ada.api.previewBroadcast({ query: { to: 'Duber' } })).toEqual({ people: 2, writtenToday: null });
    await send('Duber', 'Heron Bridge is closed');
    const mail = await testServer.waitForMail(duber.user.email, 'Heron Bridge');
    expect(mail.text).toContain('Take Mill Road until Sunday.');
    expect(mail.text).toContain('Thank you!');
    await waitFor(async () => expect(await find('Heron Bridge is closed')).toMatchObject({ people: 2, written: 2 }));
    const sent = await find('Heron Bridge is closed');
    expect(sent).toMatchObject({ to: 'Duber', sentBy: ada.session.operator.fullname, writtenAt: expect.any(String) });
    const rows = await testServer.server.db
      .selectFrom('notifications')
      .selectAll()
      .where('kind', '=', 'town')
      .execute();
    expect(rows.map(({ user_id, channel }) => [user_id, channel])).toEqual([[duber.user.id, 'mail']]);
    const { items } = await ada.api.listAudit({ query: { q: 'sendBroadcast' } });
    expect(items).toMatchObject([{ reason: 'The river is high', details: { broadcastId: sent?.id, people: 2 } }]);
  });

  test('go to a person once a day, unless they are urgent', async () => {
    const again = await expectFailure(send('Duber', 'Again'));
    expect(again).toEqual({
      status: 409,
      message: 'These people were written to today. Wait until tomorrow, or mark it as urgent',
    });
    const everyone = await ada.api.previewBroadcast({ query: { to: 'everyone' } });
    expect(everyone).toMatchObject({ people: 3, writtenToday: { to: 'Duber', title: 'Heron Bridge is closed' } });
    expect((await expectFailure(send('everyone', 'Again'))).status).toBe(409);
    await send('everyone', 'A storm is coming', true);
    await testServer.waitForMail(bud.user.email, 'storm');
    expect((await expectFailure(send('Bud', 'News'))).status, 'a Bud has read of the storm').toBe(409);
    testServer.advanceClock(startOfTomorrow().getTime() - testServer.now().getTime());
    ada = await createOperator(testServer, { caps: ['messages', 'admin', 'see'] });
    const results = await Promise.allSettled([send('Bud', 'Spring prices'), send('everyone', 'Spring prices')]);
    expect(results.map(({ status }) => status).toSorted(), 'two at once').toEqual(['fulfilled', 'rejected']);
    await testServer.waitForMail(bud.user.email, 'Spring prices');
    expect(await subjectsTo(bud)).not.toContain('Heron Bridge is closed');
  });

  test('a message that could not be sent is listed with the reason, and an operator sends it again', async () => {
    const { db } = testServer.server;
    const at = testServer.now();
    const about = bud.user.id;
    await db
      .insertInto('notifications')
      .values({
        ...{ kind: 'town', about: newId(), channel: 'mail', target: about, user_id: about },
        ...{ state: 'given-up', failure: 'the mailbox is full', created_at: at, done_at: at },
      })
      .execute();
    const mail = { subject: 'Your password was changed', text: 'It was.', html: '<p>It was.</p>' };
    await queueMail(db, { id: about, recipient: bud.user.email, ...mail }, at);
    const trouble = { tries: 9, failure: `${MAIL_SERVER_FAILED}: 535 wrong password` };
    const due = new Date(at.getTime() + 20 * MINUTE_MS);
    await db
      .updateTable('notifications')
      .set({ ...trouble, due_at: due })
      .where('about', '=', about)
      .execute();
    const [waits, givenUp] = (await ada.api.listGivenUpMessages()).items.toSorted((a, b) => a.id.localeCompare(b.id));
    const email = bud.user.email.replace(/^(.)[^@]*/, '$1…');
    const shown = { channel: 'mail', email, at: at.toISOString(), canResend: true } as const;
    expect(givenUp).toEqual({
      ...{ ...shown, id: expect.stringContaining('mail:town:'), kind: 'town' },
      ...{ why: 'the mailbox is full', nextTryAt: null },
    });
    expect(waits).toEqual({
      ...{ ...shown, id: `account-mail:account:${about}:${about}`, kind: 'account' },
      ...{ why: trouble.failure, nextTryAt: due.toISOString() },
    });
    expect(await ada.api.readToday()).toMatchObject({
      givenUpMessages: 1,
      mailTrouble: { count: 1, since: at.toISOString(), why: trouble.failure },
    });
    await ada.api.resendMessages({ body: { ids: [waits?.id ?? ''], reason: 'The password is right again' } });
    await testServer.waitForMail(bud.user.email, mail.subject);
    await waitFor(async () => expect(await ada.api.readToday()).toMatchObject({ mailTrouble: null }));
    expect(await ada.api.readToday(), 'only what was named is sent').toMatchObject({ givenUpMessages: 1 });
    const { items } = await ada.api.listAudit({ query: { q: 'resendMessages' } });
    expect(items).toMatchObject([{ reason: 'The password is right again', details: { messages: 1 } }]);
  });
});
