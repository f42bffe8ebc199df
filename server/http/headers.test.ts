import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import pino from 'pino';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/durations.ts';
import { CHEAPEST_DATABASE, openTestServer } from '../../testing/testServer.ts';
import { readConfig } from '../config/config.ts';
import { createHttpServer } from './httpServer.ts';
import { createRateLimits } from './rateLimits.ts';
import { serveWeb } from './staticFiles.ts';

test('every answer of the API forbids running it as a page, guessing its type, and loading it from other sites, and has the time of the rules', async () => {
  const testServer = await openTestServer(CHEAPEST_DATABASE);
  try {
    const bud = await testServer.createUser('Bud');
    const authorization = `Bearer ${bud.token}`;
    testServer.advanceClock(HOUR_MS);
    // The header counts seconds.
    const earliest = Math.floor((Date.now() + HOUR_MS) / 1000) * 1000;
    const requests: [string, RequestInit, number][] = [
      ['/config', {}, 200],
      ['/profile', { headers: { authorization } }, 200],
      ['/profile', {}, 401],
      ['/nowhere', {}, 404],
      ['/profile', { method: 'DELETE' }, 405],
      ['/auth/login', { method: 'POST', body: 'x', headers: { 'content-type': 'text/html' } }, 415],
      ['/auth/login', { method: 'POST', body: '<script>', headers: { 'content-type': 'application/json' } }, 400],
    ];
    for (const [path, init, status] of requests) {
      const answer = await fetch(testServer.apiUrl + path, init);
      expect([path, answer.status]).toEqual([path, status]);
      expect(Object.fromEntries(answer.headers), path).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(Date.parse(answer.headers.get('date') ?? '')).toBeGreaterThanOrEqual(earliest);
    }
    const abort = new AbortController();
    const stream = await fetch(`${testServer.apiUrl}/events`, { headers: { authorization }, signal: abort.signal });
    expect(stream.headers.get('x-content-type-options')).toBe('nosniff');
    abort.abort();
  } finally {
    await testServer.close();
  }
});

const hosts = readConfig({});

test('over https, answers carry Strict-Transport-Security', async () => {
  for (const isHttps of [true, false]) {
    const limits = createRateLimits(undefined as never, 1);
    const app = createHttpServer({ logger: pino({ level: 'silent' }), trustProxy: false, limits, isHttps, hosts });
    const { headers } = await app.inject('/api/nowhere');
    expect(headers['strict-transport-security']).toBe(isHttps ? 'max-age=31536000' : undefined);
    await app.close();
  }
});

test('pages allow no inline or evaluated scripts and no frames, and connect only to the configured third parties', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-web-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  const app = Fastify();
  const square = { SQUARE_ACCESS_TOKEN: 'x', SQUARE_APPLICATION_ID: 'sandbox-x', SQUARE_LOCATION_ID: 'x' };
  const config = readConfig({ PUBLIC_URL: 'https://rubadub.test', SANDBOX: 'on', MAPBOX_TOKEN: 'pk.x', ...square });
  serveWeb(app, folder, { config, now: () => new Date() });
  const { headers } = await app.inject({ url: '/', headers: { accept: 'text/html' } });
  const policy = Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  );
  expect(policy['script-src']).toEqual(["'self'", 'https://sandbox.web.squarecdn.com']);
  expect(policy['script-src-attr']).toEqual(["'none'"]);
  expect(policy['default-src']).toEqual(["'self'"]);
  for (const rule of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy[rule], rule).toEqual(["'none'"]);
  expect(policy['connect-src']).toContain('https://api.mapbox.com');
  expect(policy['upgrade-insecure-requests']).toEqual([]);
  const sources = Object.values(policy).flat();
  for (const source of ['*', 'https:', 'http:', "'unsafe-eval'"]) expect(sources).not.toContain(source);
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' });
  await app.close();

  // The demo's page shows the app on three phones.
  const demo = Fastify();
  serveWeb(demo, folder, { config: { ...config, demoAccounts: () => [] }, now: () => new Date() });
  const framed = (await demo.inject({ url: '/', headers: { accept: 'text/html' } })).headers;
  expect(framed['content-security-policy']).toContain("frame-ancestors 'self'");
  expect([framed['x-frame-options'], framed['server-timing']]).toEqual(['SAMEORIGIN', 'demo']);
  await demo.close();
  rmSync(folder, { recursive: true });
});
