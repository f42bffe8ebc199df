import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { type NotificationHarness, openNotificationHarness } from '../../testing/notificationHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { countAudience, insertBroadcast, writeBroadcastBatch } from './broadcasts.sql.ts';
import { writeBroadcasts } from './broadcasts.ts';
import { queueMail } from './outbox.sql.ts';

const PEOPLE = 250;

describe.each(RULE_DATABASES)('a message to many, on %s', (kind) => {
  let harness: NotificationHarness;
  let operatorId: string;
  beforeAll(async () => {
    harness = await openNotificationHarness(kind);
    operatorId = randomUUID();
    const { db, now } = harness.context;
    await db
      .insertInto('operators')
      .values({
        id: operatorId,
        fullname: 'Ada',
        email: 'a@b.c',
        email_key: 'a@b.c',
        password_hash: '',
        created_at: now(),
      })
      .execute();
    await queryRows(
      db,
      sql`insert into users (id, fullname, email, email_key, password_hash, role, created_at)
        select gen_random_uuid(), 'One of many', n || '@many.test', n || '@many.test', 'none', 'Duber', ${now()}
        from generate_series(1, ${PEOPLE}) n`,
    );
  });
  afterAll(() => harness?.close());

  const create = async (more: { to?: 'Duber' | 'everyone'; isUrgent?: boolean } = {}) => {
    const { db, newId, now } = harness.context;
    const id = newId();
    const to = more.to ?? 'Duber';
    const people = await countAudience(db, to);
    const text = { title: 'News', words: 'Some words.' };
    await insertBroadcast(db, { id, ...text, to, isUrgent: false, ...more, sentBy: operatorId, people }, now());
    return { id, people };
  };
  const write = (batchSize: number) => writeBroadcasts(harness.context, batchSize);
  const messagesOf = async (id: string) => {
    const row = await queryRow<{ messages: number; people: number }>(
      harness.context.db,
      sql`select count(*)::int as messages, count(distinct user_id)::int as people from notifications where about = ${id}`,
    );
    return row ?? { messages: 0, people: 0 };
  };
  const progressOf = (id: string) =>
    harness.context.db
      .selectFrom('broadcasts')
      .select(['written', 'written_at as writtenAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const forget = () => queryRows(harness.context.db, sql`delete from notifications`);

  test('is written to each person once, although the server is killed and others write at the same time', async () => {
    const { db, now } = harness.context;
    const { id, people } = await create({ to: 'everyone', isUrgent: true });
    let isMore = true;
    for (let round = 0; isMore; round += 1) {
      const killed = holdTransaction(db, async (tx) => {
        await writeBroadcastBatch(tx, now(), 40);
        throw new Error('killed before the commit');
      });
      await expect(killed).rejects.toThrow('killed');
      const rounds = await Promise.all([write(40), write(40)]);
      isMore = rounds.includes(true);
      expect(round).toBeLessThan(20);
    }
    expect(await messagesOf(id)).toEqual({ messages: people, people });
    expect(await progressOf(id)).toEqual({ written: people, writtenAt: now() });
    await forget();
  });

  test('does not go to people who sign up afterwards', async () => {
    const { db, now } = harness.context;
    const { id, people } = await create({ isUrgent: true });
    const later = new Date(now().getTime() + 1_000);
    const user = { fullname: 'Late', password_hash: '', role: 'Duber' as const, created_at: later };
    await db
      .insertInto('users')
      .values({ ...user, id: harness.context.newId(), email: 'late@many.test', email_key: 'late@many.test' })
      .execute();
    while (await write(100));
    expect(await messagesOf(id)).toEqual({ messages: people, people });
    await forget();
  });

  test('waits while many other mails are due, unless it is urgent', async () => {
    const { db, newId, now } = harness.context;
    const { id } = await create();
    expect(await write(200)).toBe(true);
    expect(await messagesOf(id)).toMatchObject({ people: 200 });
    // Its own first messages are not sent yet.
    expect(await write(200)).toBe(false);
    const urgent = await create({ isUrgent: true });
    while (await write(200));
    expect((await messagesOf(urgent.id)).people).toBeGreaterThan(PEOPLE);
    await forget();
    await queueMail(db, { id: newId(), recipient: 'a@b.c', subject: 'A code', text: '', html: '' }, now());
    while (await write(200));
    expect((await progressOf(id)).writtenAt).not.toBeNull();
  });
});
