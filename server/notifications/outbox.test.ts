import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NotificationHarness, openNotificationHarness } from '../../testing/notificationHarness.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';
import { queueMail } from './outbox.sql.ts';

describe.each(DATABASE_KINDS)('the outbox on %s', (kind) => {
  let harness: NotificationHarness;
  beforeAll(async () => {
    harness = await openNotificationHarness(kind);
  });
  afterAll(() => harness?.close());

  test('an account mail is taken by its own channel only, is sent once, and its text is erased', async () => {
    const { db, now } = harness.context;
    const userId = newId();
    const recipient = `${userId}@rubadub.test`;
    await queueMail(db, { id: newId(), recipient, subject: 'Your code', text: '123456', html: '<p>123456</p>' }, now());
    expect(await harness.send(harness.transports, ['mail', 'push'])).toBe(0);
    expect(await harness.send(harness.transports, ['account-mail'])).toBe(1);
    expect(await harness.send(harness.transports, ['account-mail'])).toBe(0);
    expect(await harness.mailsTo(userId)).toMatchObject([
      { subject: 'Your code', text: expect.stringContaining('123456') },
    ]);
    const row = sql`select state, rendered_mail from notifications where recipient = ${recipient}`;
    expect(await queryRows(db, row)).toEqual([{ state: 'sent', rendered_mail: null }]);
  });

  test('sends an account mail that the previous release queued, and erases it', async () => {
    const { db, now } = harness.context;
    const mail = {
      id: newId(),
      recipient: `${newId()}@rubadub.test`,
      subject: 'Your code',
      text: '1',
      html: '<p>1</p>',
    };
    await queryRows(
      db,
      sql`insert into mails (id, recipient, subject, text, html, created_at, due_at, tries, given_up_at, failure)
        values (${mail.id}, ${mail.recipient}, ${mail.subject}, '1', '<p>1</p>', ${now()}, ${now()}, 1, null, 'busy'),
          (${newId()}, ${mail.recipient}, 'Leased', '2', '', ${now()}, ${new Date(now().getTime() + 60_000)}, 1, null, null),
          (${newId()}, ${mail.recipient}, 'Given up', null, null, ${now()}, ${now()}, 20, ${now()}, 'rejected')`,
    );
    expect(await harness.send(harness.transports, ['account-mail'])).toBe(1);
    expect(await harness.send(harness.transports, ['account-mail'])).toBe(0);
    const [userId = ''] = mail.recipient.split('@');
    expect(await harness.mailsTo(userId)).toMatchObject([{ subject: mail.subject }]);
    const rows = sql`select state, tries, failure, rendered_mail from notifications
      where recipient = ${mail.recipient} order by tries`;
    expect(await queryRows(db, rows)).toEqual([
      { state: 'sent', tries: 2, failure: null, rendered_mail: null },
      { state: 'given-up', tries: 20, failure: 'rejected', rendered_mail: null },
    ]);
    expect(await queryRows(db, sql`select subject from mails where recipient = ${mail.recipient}`)).toEqual([
      { subject: 'Leased' },
    ]);
  });
});
