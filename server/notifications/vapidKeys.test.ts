import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/testServer.ts';
import { readConfig } from '../config/config.ts';
import { openServerDatabase } from '../db/database.ts';
import { ensureSchema } from '../db/ensureSchema.ts';
import { insertKeyIfMissing, readKey } from '../db/keys.sql.ts';
import { createLogger } from '../log.ts';
import { openServer } from '../main.ts';
import { loadNotificationKeys } from './vapidKeys.ts';

describe('the keys of an installation', () => {
  test('are created at the first start, kept at later ones, and their secrets are neither logged nor served', async () => {
    const url = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-keys-'));
    const database = openServerDatabase(url, 1);
    const output: string[] = [];
    const log = new Writable({
      write(chunk, _encoding, done) {
        output.push(String(chunk));
        done();
      },
    });
    const startOnce = async () => {
      const config = readConfig({ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url });
      const server = await openServer(config, { logger: createLogger('trace', log) });
      const host = await server.listen();
      for (const path of ['/api/config', '/api/openapi.json', '/api/docs', '/api/notifications'])
        output.push(await (await fetch(host + path)).text());
      await server.close();
      return Promise.all((['vapid', 'unsubscribe'] as const).map((name) => readKey(database.db, name)));
    };
    try {
      const first = await startOnce();
      expect(await startOnce()).toEqual(first);
      const [vapid, unsubscribe] = first;
      expect(Buffer.from(vapid?.publicKey ?? '', 'base64url')).toHaveLength(65);
      for (const secret of [vapid?.secret ?? '', unsubscribe?.secret ?? '']) {
        expect(secret.length).toBeGreaterThan(40);
        expect(output.join('')).not.toContain(secret);
      }
    } finally {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  test('are the same for servers that start at the same time', async () => {
    const url = await createTestDatabase();
    const databases = [1, 2, 3, 4].map(() => openServerDatabase(url, 2));
    try {
      const [first] = databases;
      if (first) await ensureSchema(first.db);
      const all = await Promise.all(databases.map(({ db }) => loadNotificationKeys(db, new Date())));
      expect(new Set(all.map((keys) => JSON.stringify(keys))).size).toBe(1);
      // A server that read no key, and inserts one after another server has.
      const late =
        first && (await insertKeyIfMissing(first.db, 'unsubscribe', { publicKey: null, secret: 'late' }, new Date()));
      expect(late?.secret).toBe(all[0]?.linkSecret);
    } finally {
      for (const database of databases) await database.close();
    }
  });
});
