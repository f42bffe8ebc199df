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
});
