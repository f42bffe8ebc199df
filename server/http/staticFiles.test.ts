import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressTextFiles } from '../../scripts/compress.ts';
import { readConfig } from '../config/config.ts';
import { serveWeb } from './staticFiles.ts';

const SCRIPT = `console.log(${JSON.stringify('rub a dub dub '.repeat(500))});`;
const PAGE = `<!doctype html><title>Rubadub</title>${'<p>three in a tub</p>'.repeat(100)}`;

const folder = mkdtempSync(join(tmpdir(), 'rubadub-web-'));
let app: FastifyInstance;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'tiny-3c4d.js'), 'export {};');
  await compressTextFiles(folder);
  app = Fastify();
  serveWeb(app, folder, readConfig({}));
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
