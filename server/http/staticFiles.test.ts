import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import { compressTextFiles } from '../../scripts/compress.ts';
import { HOSTILE_TARGETS, rawRequest, sendRaw } from '../../testing/rawSocket.ts';
import { readConfig } from '../config/config.ts';
import { createHttpServer } from './httpServer.ts';
import { createRateLimits } from './rateLimits.ts';
import { serveWeb } from './staticFiles.ts';

const SCRIPT = `console.log(${JSON.stringify('rub a dub dub '.repeat(500))});`;
const PAGE = `<!doctype html><title>Rubadub</title>${'<p>three in a tub</p>'.repeat(100)}`;

const folder = mkdtempSync(join(tmpdir(), 'rubadub-web-'));
let app: FastifyInstance;
let url: string;
let time = 0;
const logLines: string[] = [];

function createWebServer(): FastifyInstance {
  const config = readConfig({});
  const limits = createRateLimits(undefined as never, 1, () => new Date(time));
  const logger = pino({}, { write: (line) => void logLines.push(line) });
  const server = createHttpServer({ logger, trustProxy: false, limits, hosts: config });
  serveWeb(server, folder, { config, now: () => new Date(time) });
  return server;
}

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'tiny-3c4d.js'), 'export {};');
  await compressTextFiles(folder);
  app = createWebServer();
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const requestFile = (url: string, encoding: string) => app.inject({ url, headers: { 'accept-encoding': encoding } });

describe('the files of the web app', () => {
  it('are compressed for a browser that accepts it', async () => {
    for (const [url, encoding] of [
      ['/assets/app-1a2b.js', 'br'],
      ['/assets/app-1a2b.js', 'gzip'],
      ['/', 'br'],
    ] as const) {
      const { statusCode, headers, rawPayload } = await requestFile(
        url,
        encoding === 'br' ? 'gzip, deflate, br' : encoding,
      );
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: expect.stringMatching(/accept-encoding/i) });
      expect(headers['content-type']).toMatch(url === '/' ? /^text\/html/ : /javascript/);
      expect(rawPayload.length).toBeLessThan(SCRIPT.length / 5);
    }
    const { rawPayload } = await requestFile('/assets/app-1a2b.js', 'gzip');
    expect(gunzipSync(rawPayload).toString()).toBe(SCRIPT);
  });

  it('are not compressed for other clients, or when they are tiny', async () => {
    for (const [url, text] of [
      ['/assets/app-1a2b.js', SCRIPT],
      ['/', PAGE],
    ] as const) {
      const { headers, body } = await requestFile(url, 'identity');
      expect(headers).not.toHaveProperty('content-encoding');
      expect(body).toBe(text);
    }
    expect((await requestFile('/assets/tiny-3c4d.js', 'br')).headers).not.toHaveProperty('content-encoding');
  });

  it('are cached forever when their name contains a hash, and revalidated otherwise', async () => {
    for (const encoding of ['br', 'identity']) {
      expect((await requestFile('/assets/app-1a2b.js', encoding)).headers['cache-control']).toContain('immutable');
      expect((await requestFile('/', encoding)).headers['cache-control']).toBe('no-cache');
    }
  });
});

describe('the fixed addresses of the web', () => {
  // As a browser asks for a page.
  const open = (url: string, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers: { accept: 'text/html,*/*;q=0.8' } });

  it('keep robots out of the API and of the tags of bags', async () => {
    const { statusCode, headers, body } = await open('/robots.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body.split('\n')).toEqual(['User-agent: *', 'Disallow: /api/', 'Disallow: /b/', '']);
    expect((await open('/robots.txt', 'HEAD')).statusCode).toBe(200);
  });

  it('say whom to tell about a security problem, for less than a year from now', async () => {
    time += 1_000;
    const { statusCode, headers, body } = await open('/.well-known/security.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = new Map(
      body
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/) as [string, string]),
    );
    const { publicUrl, supportEmail } = readConfig({});
    expect(fields.get('Contact')).toBe(`mailto:${supportEmail}`);
    expect(fields.get('Canonical')).toBe(`${publicUrl}/.well-known/security.txt`);
    const days = (Date.parse(fields.get('Expires') ?? '') - time) / DAY_MS;
    expect(days > 30 && days < 365).toBe(true);
  });

  it('lead a password manager to the screen that changes the password', async () => {
    const { statusCode, headers } = await open('/.well-known/change-password');
    expect([statusCode, headers.location]).toEqual([302, '/#/profile']);
  });

  it('lead a program that looks for the key of work records to the call that has it', async () => {
    const { statusCode, headers } = await open('/.well-known/did.json');
    expect([statusCode, headers.location]).toEqual([302, '/api/work-record/issuer']);
  });

  it.each([
    '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
    '/sitemap.xml',
    '/ads.txt',
    '/favicon.ico',
    '/b/none.png/x.php',
  ])('answer 404 for %s instead of leading to the landing page', async (path) => {
    expect((await open(path)).statusCode).toBe(404);
  });

  it('leave a mistyped page to the landing page', async () => {
    for (const path of ['/login', '/bud/dashboard/', '/sign.in/here?x=a.txt']) {
      const { statusCode, headers } = await open(path);
      expect([statusCode, headers.location]).toEqual([302, '/']);
    }
  });
});

describe('addresses that name no file', () => {
  it.each(HOSTILE_TARGETS.map((target) => [target.slice(0, 40), target]))(
    'such as %s are answered 400 or 404 in one shape, with no error in the log',
    async (_start, target = '') => {
      time += 1_000;
      logLines.length = 0;
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { status, text } = await sendRaw(url, rawRequest(method, target));
        const [head = '', body = ''] = text.split('\r\n\r\n');
        const isPage = status === 200 && method !== 'POST' && new URL(target, url).pathname === '/';
        if (!isPage) expect([400, 404], `${method} ${text}`).toContain(status);
        if (!isPage && method !== 'HEAD') expect(JSON.parse(body), method).toMatchObject({ statusCode: status });
        expect(head, method).toMatch(/^x-request-id: /im);
      }
      for (const line of logLines) expect(line).not.toMatch(/"level":[56]0|stack|node_modules/);
    },
  );

  it('are found in no folder outside the app', async () => {
    writeFileSync(join(folder, '..', `${basename(folder)}.txt`), 'outside');
    for (const path of ['/../', '/%2e%2e/', '/..%2f', '/assets/../../', '/assets/%2e%2e%2f..%2f']) {
      const { text } = await sendRaw(url, rawRequest('GET', `${path}${basename(folder)}.txt`));
      expect(text).not.toContain('outside');
    }
    rmSync(join(folder, '..', `${basename(folder)}.txt`));
  });
});

it('a network may request ten times as many files as calls', async () => {
  time += 1_000;
  const statusOf = async (url: string, method: 'GET' | 'POST' = 'GET') =>
    (await app.inject({ method, url })).statusCode;
  for (let count = 0; count < 100; count += 1) expect(await statusOf('/unknown', 'POST')).toBe(404);
  expect(await statusOf('/unknown', 'POST')).toBe(429);
  expect(await statusOf('/%')).toBe(429);
  for (let count = 0; count < 1_000; count += 1) expect(await statusOf('/assets/tiny-3c4d.js')).toBe(200);
  expect(await statusOf('/assets/tiny-3c4d.js')).toBe(429);
  time += 1_000;
  expect(await statusOf('/assets/tiny-3c4d.js')).toBe(200);
});
