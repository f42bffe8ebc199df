import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { openSandbox } from './sandbox.ts';

const PATHS = ['/sandbox/square', '/sandbox/mail', '/sandbox/places', '/sandbox/map/style.json'];

test.each([
  [{ square: true, places: true, map: true, mail: true }, [200, 200, 200, 200]],
  [{ square: true, places: false, map: true, mail: false }, [200, 404, 404, 200]],
  [{ square: false, places: true, map: false, mail: true }, [404, 200, 200, 404]],
])('of %o only the parts in use are reachable and linked', async (parts, expected) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-sandbox-'));
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: 'http://127.0.0.1:3000' });
  const app = Fastify();
  await sandbox.register(app);
  try {
    const answers = await Promise.all(PATHS.map((url) => app.inject({ url })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(expected);
    const { body } = await app.inject({ url: '/sandbox' });
    for (const part of ['square', 'mail', 'places', 'map'] as const) {
      expect(body.includes(`href="/sandbox/${part}"`)).toBe(parts[part]);
    }
    // No other site can show a stand-in in a frame and have its visitor click there.
    for (const url of ['/sandbox', '/sandbox/places', '/sandbox/map', ...PATHS]) {
      const { headers, statusCode } = await app.inject({ url });
      if (statusCode === 404) continue;
      expect(headers, url).toMatchObject({
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      });
    }
    expect(sandbox.smtpUrl === undefined).toBe(!parts.mail);
  } finally {
    await app.close();
    await sandbox.close();
    await rm(dataDir, { recursive: true });
  }
});

test('a taken SMTP port fails the start and releases the data folder', async () => {
  const parts = { square: false, places: false, map: false, mail: true };
  const [one, other] = await Promise.all(['one', 'other'].map((name) => mkdtemp(join(tmpdir(), `rubadub-${name}-`))));
  if (!one || !other) throw new Error('no folders');
  const publicUrl = 'http://127.0.0.1:3000';
  const first = await openSandbox({ dataDir: one, parts, publicUrl });
  const smtpPort = Number(new URL(String(first.smtpUrl)).port);
  await expect(openSandbox({ dataDir: other, parts, publicUrl, smtpPort })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await first.close();
  const second = await openSandbox({ dataDir: other, parts, publicUrl, smtpPort });
  expect(second.smtpUrl).toBe(`smtp://127.0.0.1:${smtpPort}`);
  await second.close();
  await Promise.all([one, other].map((folder) => rm(folder, { recursive: true })));
});

test('the sandbox’s body parsers do not affect the server it is mounted on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-sandbox-'));
  const parts = { square: true, places: false, map: false, mail: false };
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: 'http://127.0.0.1:3000' });
  const app = Fastify();
  await sandbox.register(app);
  app.post('/echo', async ({ body }) => ({ body }));
  const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, payload: 'hello' } as const;
  expect((await app.inject({ ...plain, url: '/echo' })).json()).toEqual({ body: 'hello' });
  const headers = { ...plain.headers, authorization: 'Bearer x' };
  const refused = await app.inject({ ...plain, headers, url: '/sandbox/square/v2/payments' });
  expect([refused.statusCode, refused.json().errors[0].code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  await app.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true });
});
