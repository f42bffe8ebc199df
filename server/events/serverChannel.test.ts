import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openHangingDatabase } from '../../testing/hangingDatabase.ts';
import { createTestDatabase } from '../../testing/testServer.ts';
import { openServerDatabase } from '../db/database.ts';
import { openServerChannel } from './serverChannel.ts';

describe('the channel between servers', () => {
  test.each([0, 1])('moves on from a host that hangs after %i statements', async (answered) => {
    const hanging = await openHangingDatabase(answered);
    const url = await createTestDatabase();
    const { db, close } = openServerDatabase(url, 1);
    const { host } = new URL(url);
    const channel = openServerChannel({
      url: url.replace(host, `127.0.0.1:${hanging.port},${host}`),
      serverId: 'one',
      notify: (name, payload) => sql`select pg_notify(${name}, ${payload})`.execute(db),
      onEvents: () => {},
      onSessionsEnded: () => {},
      log: { info: () => {}, warn: () => {}, error: () => {} } as never,
    });
    try {
      await expect.poll(() => channel.isReceiving()).toBe(true);
    } finally {
      await channel.close();
      await close();
      hanging.close();
    }
  });
});
