import { describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import { openDesk, sendAll } from '../../testing/notificationHarness.ts';
import { KINDS } from '../../testing/testServer.ts';
import { type Database, openServerDatabase, transact } from '../db/database.ts';
import { takeDue } from './delivery.sql.ts';

describe.runIf(KINDS.includes('postgres'))('several servers on one database', () => {
  test('do not wait for each other, and never take the same', async () => {
    const desk = await openDesk('postgres');
    const other = openServerDatabase(desk.databaseUrl ?? '', 1);
    try {
      await desk.order();
      const how = { now: desk.deps.now(), leaseS: 60, limit: 2 };
      const [first, second] = await transact(desk.deps.db, async (tx) => {
        const mine = await takeDue(tx, 'mail', how);
        return [mine, await takeDue(other.db, 'mail', how)] as const;
      });
      const keys = [...first, ...second].map(({ kind, target }) => `${kind} ${target}`);
      expect([first.length, second.length, new Set(keys).size]).toEqual([2, 1, 3]);
    } finally {
      await other.close();
      await desk.close();
    }
  });

  test('send each message once, however many sweep at a time', async () => {
    const desk = await openDesk('postgres');
    const others: Database[] = [];
    try {
      const phones = await Promise.all(
        [...desk.people.buds, ...desk.people.scrubs].map((caller) => desk.phone(caller as Caller)),
      );
      for (let many = 0; many < 15; many += 1) await desk.order();
      for (let many = 0; many < 3; many += 1) others.push(openServerDatabase(desk.databaseUrl ?? '', 4));
      const sweeps = [desk.deps.db, ...others.map(({ db }) => db)].map((db) =>
        sendAll({ ...desk.deps, db }, desk.ways),
      );
      const rounds = await Promise.all(sweeps);
      expect(rounds.filter((one) => one > 0).length, 'several had work').toBeGreaterThan(1);
      const [first] = desk.people.buds;
      const mails = await desk.mailsTo(first?.id ?? '');
      expect(mails).toHaveLength(30);
      const tags = (await phones[0]?.arrived())?.map(({ push }) => push.tag) ?? [];
      expect(tags).toHaveLength(30);
      expect(new Set(tags).size).toBe(30);
    } finally {
      for (const other of others) await other.close();
      await desk.close();
    }
  });
});
