import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearToken, readToken, saveToken } from '../api/client.ts';
import { describeLosses, readLosses } from './losses.ts';
import { readStored, tabStore, writeStored } from './stores.ts';
import { withTabLock } from './tabs.ts';

const full = () => new DOMException('The quota has been exceeded.', 'QuotaExceededError');
const blocked = () => new DOMException('Access is denied for this document.', 'SecurityError');

/** A storage that has no room while `isFull`. */
function createStorage(isFull: () => boolean) {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull()) throw full();
      values.set(key, value);
    },
    removeItem: (key: string) => void values.delete(key),
  };
}

const blockedStorage = () =>
  Object.fromEntries(
    ['getItem', 'setItem', 'removeItem'].map((name) => [
      name,
      () => {
        throw blocked();
      },
    ]),
  );

const STORES = { 'of the tab': tabStore, 'of the browser': { read: readStored, write: writeStored } };

beforeEach(() => {
  vi.stubGlobal('location', { protocol: 'http:' });
  // Tests of other files have no storage, so their device is in memory.
  vi.stubGlobal(
    'localStorage',
    createStorage(() => false),
  );
  writeStored('rubadub-device', null);
});
afterEach(() => {
  vi.stubGlobal(
    'sessionStorage',
    createStorage(() => false),
  );
  vi.stubGlobal(
    'localStorage',
    createStorage(() => false),
  );
  for (const store of Object.values(STORES)) store.write('a', null);
  vi.stubGlobal('document', { cookie: '' });
  clearToken();
  vi.unstubAllGlobals();
});

describe.each(Object.entries(STORES))('a value %s', (_words, store) => {
  test('is kept for this visit where the storage is full, and the value before is not back at the next one', () => {
    let isFull = false;
    const storage = createStorage(() => isFull);
    vi.stubGlobal('sessionStorage', storage);
    vi.stubGlobal('localStorage', storage);
    store.write('a', 'before');
    isFull = true;
    store.write('a', 'now');
    expect([store.read('a'), storage.getItem('a'), readLosses().has('values')]).toEqual(['now', null, true]);
    isFull = false;
    store.write('a', 'later');
    expect([store.read('a'), storage.getItem('a'), readLosses().has('values')]).toEqual(['later', 'later', false]);
  });

  test('is kept for this visit where the storage is blocked, until it is removed', () => {
    vi.stubGlobal('sessionStorage', blockedStorage());
    vi.stubGlobal('localStorage', blockedStorage());
    expect(store.read('a')).toBeNull();
    store.write('a', 'now');
    expect([store.read('a'), readLosses().has('values')]).toEqual(['now', true]);
    store.write('a', null);
    expect([store.read('a'), readLosses().has('values')]).toEqual([null, false]);
  });
});

test('a token is kept for this visit where cookies are blocked', () => {
  vi.stubGlobal('document', { set cookie(_refused: string) {}, get cookie() { return ''; } }); // biome-ignore format: one line
  saveToken('a token');
  expect([readToken(), readLosses().has('session')]).toEqual(['a token', true]);
  clearToken();
  expect([readToken(), readLosses().has('session')]).toEqual([undefined, false]);
});

test('a step that only one tab may take is taken where the browser refuses locks, and its failure is not taken for a refusal', async () => {
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(blocked()) } });
  const act = vi.fn(async () => undefined);
  await withTabLock('a', {}, act);
  expect(act).toHaveBeenCalledTimes(1);

  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, _options: object, given: () => unknown) => given() },
  });
  act.mockRejectedValue(new Error('its own failure'));
  await expect(withTabLock('a', {}, act)).rejects.toThrow('its own failure');
  expect(act).toHaveBeenCalledTimes(2);
});

test('one line says what is lost, and nothing while nothing is', () => {
  const lineOf = (...losses: Parameters<typeof describeLosses>[0] extends ReadonlySet<infer L> ? L[] : never) =>
    describeLosses(new Set(losses));
  expect(lineOf()).toBeUndefined();
  expect(lineOf('session', 'values', 'offline')).toBe(
    'Your browser’s storage is full or blocked. Rubadub works, but when you close or reload this page, you are signed out and what you typed and chose here is lost, and nothing opens without a network.',
  );
  expect(lineOf('values')).toBe(
    'Your browser’s storage is full or blocked. Rubadub works, but when you close or reload this page, what you typed and chose here is lost.',
  );
  expect(lineOf('offline')).toBe(
    'Your browser’s storage is full or blocked. Rubadub works, but nothing opens without a network.',
  );
});
