import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../testing/waits.ts';
import { queueStep, readQueuedSteps } from '../deliveries/queuedSteps/queuedStepStore.ts';
import { heldPhotos } from '../files/heldPhotos.ts';
import { clearSession, expireSession, signIn, signOut } from './session.ts';

const DOOR = new Blob(['the door'], { type: 'image/jpeg' });

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('location', { protocol: 'http:' });
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('fetch', async () => Response.json({}));
});
afterEach(() => vi.unstubAllGlobals());

const queueStepOf = (userId: string) =>
  queueStep({
    ...{ userId, deliveryId: 'd', action: 'pickup-failed', takenAt: '2026-11-21T08:00:00.000Z' },
    photos: [{ id: 'waiting:a', photo: DOOR }],
  });
const signInAs = (id: string) => {
  vi.stubGlobal('fetch', async () => Response.json({ authToken: `that of ${id}`, user: { id } }));
  return signIn({ email: `${id}@example.com`, password: 'a password' });
};

test.each([
  ['the user signs out', signOut],
  ['it expires', () => expireSession('/duber')],
])('a session that ends because %s takes the waiting photos with it, and leaves the steps', async (_words, end) => {
  heldPhotos.set('waiting:b', DOOR);
  await queueStepOf('me');
  end();
  await waitFor(async () => expect((await readQueuedSteps('me'))[0]?.photos).toEqual([{ id: 'waiting:a' }]));
  expect(heldPhotos.size).toBe(0);
});

test('who signs in where the session of somebody else was only given up deletes their waiting photos, and no others', async () => {
  await signInAs('me');
  await queueStepOf('me');
  heldPhotos.set('waiting:b', DOOR);
  clearSession();
  await signInAs('me');
  expect(heldPhotos.size).toBe(1);

  clearSession();
  await queueStepOf('bob');
  await signInAs('bob');
  expect(heldPhotos.size).toBe(0);
  await waitFor(async () => expect((await readQueuedSteps('me'))[0]?.photos).toEqual([{ id: 'waiting:a' }]));
  expect((await readQueuedSteps('bob'))[0]?.photos?.[0]?.photo).toBeInstanceOf(Blob);
});
