import { describe, expect, test, vi } from 'vitest';

vi.stubGlobal('__FILES__', ['/', '/boot.js', '/assets/index-1.js']);
vi.stubGlobal('__BUILD__', 'test');
const { findResponder } = await import('./appCache.ts');

const ORIGIN = 'https://rubadub.test';
const isHandled = (path: string, { method = 'GET', mode = 'cors' as RequestMode } = {}) =>
  findResponder({ method, mode, url: new URL(path, ORIGIN).href } as Request, ORIGIN) !== undefined;

describe('the service worker', () => {
  test.each([
    '/api/auth/session',
    '/api/deliveries?x=/assets/index-1.js',
    '/api/events',
    '/sandbox/mail',
    '/flags/US.svg',
    '/sw.js',
    'https://elsewhere.test/assets/index-1.js',
    '//elsewhere.test/',
  ])('leaves %s to the browser', (path) => {
    expect(isHandled(path)).toBe(false);
  });

  test('handles the page and the files of the app, of this build and of older ones', () => {
    for (const path of ['/assets/index-1.js', '/assets/of-an-old-build-2.js', '/boot.js'])
      expect(isHandled(path)).toBe(true);
    expect(isHandled('/', { mode: 'navigate' })).toBe(true);
    expect(isHandled('/index.html?x=1', { mode: 'navigate' })).toBe(true);
  });

  test('leaves other pages and every method except GET to the browser', () => {
    for (const path of ['/api/docs', '/sandbox/mail', '/nothing'])
      expect(isHandled(path, { mode: 'navigate' })).toBe(false);
    for (const method of ['POST', 'DELETE', 'HEAD']) expect(isHandled('/assets/index-1.js', { method })).toBe(false);
  });
});

test('a file of the app is shown although the browser has no room to keep it', async () => {
  const noRoom = async () => {
    throw new DOMException('Quota exceeded.', 'QuotaExceededError');
  };
  vi.stubGlobal('caches', { match: async () => undefined, open: async () => ({ put: noRoom }) });
  vi.stubGlobal('fetch', async () => new Response('the map'));
  const url = `${ORIGIN}/assets/map-1.js`;
  const respond = findResponder({ method: 'GET', mode: 'cors' as RequestMode, url } as Request, ORIGIN);
  expect(await (await respond?.())?.text()).toBe('the map');
  vi.unstubAllGlobals();
});
