import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_IDENTITY, type Identity, type Logo } from '../../domain/identity.ts';
import { readConfig } from '../config/config.ts';
import { decodePhoto } from '../files/photoCodecs.ts';
import { createHttpServer } from './httpServer.ts';
import { createRateLimits } from './rateLimits.ts';
import { serveWeb } from './staticFiles.ts';
import { createTownFiles, type TownSource } from './townFiles.ts';

const PAGE = `<!doctype html><html><head><title>Rubadub · Laundry</title>
    <meta name="application-name" content="Rubadub" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/icons/apple-touch-180.png" />
</head><body><svg width="38" height="38" viewBox="0 0 32 32" data-mark="" aria-hidden="true"><rect/></svg>Welcome to Rubadub</body></html>`;
const MANIFEST = {
  id: '/',
  name: 'Rubadub',
  short_name: 'Rubadub',
  theme_color: '#0b6e8b',
  icons: [{ src: '/x.png' }],
};
const SUDS: Identity = { ...DEFAULT_IDENTITY, name: `Suds & <b>"Sons"$&`, color: '#7a1f5c' };
const LOGO: Logo = { type: 'image/jpeg', base64: Buffer.from('a picture').toString('base64') };
const NAMES = /Rubadub/;

const folder = mkdtempSync(join(tmpdir(), 'rubadub-town-'));
let app: FastifyInstance;
let identity: Identity;
let logo: Logo | null;
let isAway: boolean;
let looks: number;

const town: TownSource = {
  readIdentity: async () => {
    looks += 1;
    if (isAway) throw new Error('the database is away');
    return { identity, version: JSON.stringify([identity, logo]) };
  },
  readLogo: async () => logo,
};

beforeAll(async () => {
  mkdirSync(join(folder, 'icons'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'manifest.webmanifest'), JSON.stringify(MANIFEST));
  writeFileSync(join(folder, 'sw.js'), 'title=message.title||`Rubadub`;');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  for (const name of ['apple-touch-180', 'icon-192'])
    writeFileSync(join(folder, 'icons', `${name}.png`), 'of the product');
  const config = readConfig({});
  const limits = createRateLimits(undefined as never, 1, () => new Date(0));
  app = createHttpServer({ logger: pino({ level: 'silent' }), trustProxy: false, limits, hosts: config });
  serveWeb(app, folder, { config, now: () => new Date(0), town });
  await app.ready();
});
beforeEach(() => {
  [identity, logo, isAway, looks] = [SUDS, null, false, 0];
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('a town that has set nothing', () => {
  test('gets the files as they were built', async () => {
    identity = { ...DEFAULT_IDENTITY, legalName: 'Riverside LLC' };
    expect((await get('/')).body).toBe(PAGE);
    expect((await get('/manifest.webmanifest')).body).toBe(JSON.stringify(MANIFEST));
    expect((await get('/icons/icon-192.png')).body).toBe('of the product');
    expect((await get('/icons/maskable.svg')).statusCode).toBe(404);
  });
});

describe('a town with a name and a colour', () => {
  test('has them in its page before any script runs, without a way out of the text', async () => {
    const { statusCode, headers, body } = await get('/');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(body).not.toMatch(NAMES);
    expect(body).not.toContain('<b>');
    const name = 'Suds &#38; &#60;b&#62;&#34;Sons&#34;$&#38;';
    expect(body).toContain(`<title>${name} · Laundry</title>`);
    expect(body).toContain(`<meta name="application-name" content="${name}" />`);
    expect(body).toContain('--brand:#7a1f5c');
    expect(body).toMatch(/<img src="\/favicon\.svg\?[\w-]{12}" width="38" height="38" alt=""/);
    expect(body).not.toContain('<svg');
  });

  test('has them in its manifest and in its service worker', async () => {
    const manifest = (await get('/manifest.webmanifest')).json();
    expect(manifest).toMatchObject({ id: '/', name: SUDS.name, short_name: SUDS.name, theme_color: '#7a1f5c' });
    for (const { src } of manifest.icons) expect((await get(src)).headers['content-type']).toBe('image/svg+xml');
    const worker = (await get('/sw.js')).body;
    expect(worker).not.toMatch(NAMES);
    expect(new Function('message', `let title;${worker}return title`)({})).toBe(SUDS.name);
  });

  test('has an icon with its first letter, and none of the product', async () => {
    expect((await get('/favicon.svg')).body).toMatch(/fill="#7a1f5c".*>S<\/text>/);
    expect((await get('/')).body).toContain('apple-touch-icon');
    const { headers, rawPayload } = await get('/icons/icon-192.png');
    expect(headers['content-type']).toBe('image/png');
    const { data, width } = await decodePhoto('image/png', rawPayload);
    const colorAt = (x: number, y: number) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3)];
    // The corner, and the middle stroke of the S.
    expect([width, colorAt(2, 2), colorAt(96, 96)]).toEqual([192, [122, 31, 92], [255, 255, 255]]);
  });

  test('has no icon of the product where its letter is of another script', async () => {
    identity = { ...SUDS, name: '洗' };
    expect((await get('/')).body).not.toContain('apple-touch-icon');
    expect((await get('/icons/icon-192.png')).statusCode).toBe(404);
    expect((await get('/favicon.svg')).body).toContain('>洗</text>');
  });

  test('has its logo on all icons, without a restart', async () => {
    const before = (await get('/sw.js')).body;
    logo = LOGO;
    expect((await get('/favicon.svg')).body).toContain(LOGO.base64);
    expect((await get('/')).body).toContain('apple-touch-icon');
    for (const path of ['/icons/icon-192.png', '/icons/apple-touch-180.png']) {
      const { headers, body } = await get(path);
      expect([headers['content-type'], body]).toEqual(['image/jpeg', 'a picture']);
    }
    // Browsers install a service worker that differs in one byte, and fetch its files again.
    expect((await get('/sw.js')).body).not.toBe(before);
  });

  test('is compressed, and not sent twice', async () => {
    const plain = (await get('/')).body;
    const br = await get('/', { 'accept-encoding': 'gzip, br' });
    expect([br.headers['content-encoding'], br.headers.vary]).toEqual(['br', 'accept-encoding']);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain);
    const gzip = await get('/', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain);
    const etag = String(br.headers.etag);
    expect(br.headers['cache-control']).toBe('no-cache');
    expect((await get('/', { 'if-none-match': `"other", W/${etag}` })).statusCode).toBe(304);
    identity = { ...SUDS, name: 'Foam' };
    expect((await get('/', { 'if-none-match': etag })).body).toContain('Welcome to Foam');
    const head = await app.inject({ method: 'HEAD', url: '/' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  test('keeps its name while the database is away', async () => {
    expect((await get('/')).body).toContain('Suds');
    isAway = true;
    expect((await get('/')).body).toContain('Suds');
    isAway = false;
    identity = { ...SUDS, name: 'Foam' };
    expect((await get('/')).body).toContain('Welcome to Foam');
  });

  test('costs one look at the database for all pages of a moment, and none for other files', async () => {
    const find = createTownFiles(folder, town);
    await Promise.all(Array.from({ length: 20 }, () => find('')));
    expect(looks).toBe(1);
    looks = 0;
    await get('/robots.txt');
    await get('/assets/none.js');
    expect(looks).toBe(0);
  });

  test('is reached at its own address by who finds a security problem', async () => {
    identity = { ...SUDS, supportEmail: 'help@suds.example' };
    expect((await get('/.well-known/security.txt')).body).toContain('Contact: mailto:help@suds.example');
    isAway = true;
    expect((await get('/.well-known/security.txt')).body).toContain('Contact: mailto:support@rubadub.test');
  });
});
