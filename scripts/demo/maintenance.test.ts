import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClient } from '../../contract/client.ts';
import { openProduct } from '../openProduct.ts';
import { writeSeed } from './seedState.ts';

let dataDir: string;
let closers: (() => unknown)[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'rubadub-maintenance-'));
  closers = [];
});

afterEach(async () => {
  for (const close of closers.toReversed()) await close();
  rmSync(dataDir, { recursive: true, force: true });
});

const open = (options: { isOpen?: boolean } = {}) =>
  openProduct({
    ...options,
    env: { DATA_DIR: dataDir, PORT: '0', MAPBOX_TOKEN: 'pk.1', MAP_STYLE_URL: 'https://tiles.example.org/style.json' },
    withWeb: false,
    log: () => {},
    onClose: (close) => closers.push(close),
  });

const credentials = { body: { email: 'bud@rubadub.test', password: 'Wrong-password1' } };

it('while the demo is being added, visitors are asked to try again, and only the demo itself signs people in', async () => {
  const { localUrl, maintenance } = await open();
  const visitor = createClient(`${localUrl}/api`);
  const demo = createClient(`${localUrl}/api`, () => undefined, maintenance.send);
  expect(await visitor.readConfig()).toMatchObject({ demo: true, isDemoPreparing: true });
  await expect(visitor.login(credentials)).rejects.toMatchObject({ statusCode: 503, retryAfter: 2 });
  await expect(visitor.sendOtpForEmail({ body: { email: 'visitor@example.org' } })).rejects.toMatchObject({
    statusCode: 503,
  });
  await expect(demo.login(credentials)).rejects.toMatchObject({ statusCode: 401 });
  const encoded = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials.body),
  };
  expect((await fetch(`${localUrl}/%61pi/auth/login`, encoded)).status).toBe(503);
  const wrongKey = { headers: { 'x-demo-key': 'ab'.repeat(32) } };
  expect((await fetch(`${localUrl}/api/auth/session`, wrongKey)).status).toBe(503);
  for (const path of ['/api/health/live', '/api/docs', '/sandbox/mail']) {
    expect((await fetch(`${localUrl}${path}`)).status, path).toBe(200);
  }
  maintenance.end();
  await expect(visitor.login(credentials)).rejects.toMatchObject({ statusCode: 401 });
  expect(await visitor.readConfig()).not.toHaveProperty('isDemoPreparing');
});

it('a demo that is complete keeps nobody waiting', async () => {
  writeSeed(dataDir, { state: 'done' });
  const { localUrl } = await open();
  const visitor = createClient(`${localUrl}/api`);
  expect(await visitor.readConfig()).not.toHaveProperty('isDemoPreparing');
  await expect(visitor.login(credentials)).rejects.toMatchObject({ statusCode: 401 });
});

it('a server that others can reach offers no demo accounts, so it promises none; its visitors wait all the same', async () => {
  const { localUrl } = await open({ isOpen: true });
  const visitor = createClient(`${localUrl}/api`);
  expect(await visitor.readConfig()).not.toHaveProperty('isDemoPreparing');
  await expect(visitor.login(credentials)).rejects.toMatchObject({ statusCode: 503 });
});
