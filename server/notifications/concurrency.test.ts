import { describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import { openNotificationHarness, sendAll } from '../../testing/notificationHarness.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { type Database, openServerDatabase, transact } from '../db/database.ts';
import { takeDueNotifications } from './send.sql.ts';

describe.runIf(DATABASE_KINDS.includes('postgres'))('several servers on one database', () => {
  test('do not wait for each other, and never take the same', async () => {
    const desk = await openNotificationHarness('postgres');
    const other = openServerDatabase(desk.databaseUrl ?? '', 1);
    try {
      await desk.createOrder();
      const how = { now: desk.context.now(), leaseS: 60, limit: 2 };
      const [first, second] = await transact(desk.context.db, async (tx) => {
        const mine = await takeDueNotifications(tx, 'mail', how);
        return [mine, await takeDueNotifications(other.db, 'mail', how)] as const;
      });
      const keys = [...first, ...second].map(({ kind, target }) => `${kind} ${target}`);
      expect([first.length, second.length, new Set(keys).size]).toEqual([2, 1, 3]);
    } finally {
      await other.close();
      await desk.close();
    }
  });

  test('send each message once, however many sweep at a time', async () => {
    const desk = await openNotificationHarness('postgres');
    const others: Database[] = [];
    try {
      const phones = await Promise.all(
        [...desk.users.buds, ...desk.users.scrubs].map((caller) => desk.addDevice(caller as Caller)),
      );
      for (let many = 0; many < 15; many += 1) await desk.createOrder();
      for (let many = 0; many < 3; many += 1) others.push(openServerDatabase(desk.databaseUrl ?? '', 4));
      const sweeps = [desk.context.db, ...others.map(({ db }) => db)].map((db) =>
        sendAll({ ...desk.context, db }, desk.transports),
      );
      const rounds = await Promise.all(sweeps);
      expect(rounds.filter((one) => one > 0).length, 'several had work').toBeGreaterThan(1);
      const [first] = desk.users.buds;
      const mails = await desk.mailsTo(first?.id ?? '');
      expect(mails).toHaveLength(30);
      const tags = (await phones[0]?.receivedMessages())?.map(({ push }) => push.tag) ?? [];
      expect(tags).toHaveLength(30);
      expect(new Set(tags).size).toBe(30);
    } finally {
      for (const other of others) await other.close();
      await desk.close();
    }
  });
});
