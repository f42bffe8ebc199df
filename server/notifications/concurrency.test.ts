import { describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import { openNotificationHarness, sendAll } from '../../testing/notificationHarness.ts';
import { type Database, openServerDatabase, transact } from '../db/database.ts';
import { takeDueMessage } from './outbox.sql.ts';

describe('several servers on one database', () => {
  test('lease different messages without waiting for each other', async () => {
    const harness = await openNotificationHarness('postgres');
    const other = openServerDatabase(harness.databaseUrl ?? '', 1);
    try {
      await harness.createOrder();
      const lease = { now: harness.context.now(), leaseS: 60 };
      const taken = await transact(harness.context.db, async (tx) => [
        await takeDueMessage(tx, 'mail', lease),
        await takeDueMessage(other.db, 'mail', lease),
        await takeDueMessage(tx, 'mail', lease),
        await takeDueMessage(other.db, 'mail', lease),
      ]);
      const keys = taken.map((message) => message && `${message.kind} ${message.target}`);
      expect([keys.filter(Boolean).length, new Set(keys).size, keys[3]]).toEqual([3, 4, undefined]);
    } finally {
      await other.close();
      await harness.close();
    }
  });

  test('send each message once when all of them send at the same time', async () => {
    const harness = await openNotificationHarness('postgres');
    const others: Database[] = [];
    try {
      const phones = await Promise.all(
        [...harness.users.buds, ...harness.users.scrubs].map((caller) => harness.addDevice(caller as Caller)),
      );
      for (let count = 0; count < 15; count += 1) await harness.createOrder();
      for (let count = 0; count < 3; count += 1) others.push(openServerDatabase(harness.databaseUrl ?? '', 4));
      const runs = [harness.context.db, ...others.map(({ db }) => db)].map((db) =>
        sendAll({ ...harness.context, db }, harness.transports),
      );
      const batches = await Promise.all(runs);
      expect(batches.filter((count) => count > 0).length, 'several servers sent something').toBeGreaterThan(1);
      const [first] = harness.users.buds;
      const mails = await harness.mailsTo(first?.id ?? '');
      expect(mails).toHaveLength(30);
      const tags = (await phones[0]?.receivedMessages())?.map(({ push }) => push.tag) ?? [];
      expect(tags).toHaveLength(30);
      expect(new Set(tags).size).toBe(30);
    } finally {
      for (const other of others) await other.close();
      await harness.close();
    }
  });
});
