import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../testing/waits.ts';
import { queueStep, readQueuedSteps } from '../deliveries/queuedSteps/queuedStepStore.ts';
import { heldPhotos } from '../files/heldPhotos.ts';
import { expireSession, signOut } from './session.ts';

const DOOR = new Blob(['the door'], { type: 'image/jpeg' });

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('fetch', async () => Response.json({}));
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['the user signs out', signOut],
  ['it expires', () => expireSession('/duber')],
])('a session that ends because %s takes the waiting photos with it, and leaves the steps', async (_words, end) => {
  heldPhotos.set('waiting:b', DOOR);
  await queueStep({
    ...{ userId: 'me', deliveryId: 'd', action: 'pickup-failed', takenAt: '2026-11-21T08:00:00.000Z' },
    photos: [{ id: 'waiting:a', photo: DOOR }],
  });
  end();
  await waitFor(async () => expect((await readQueuedSteps('me'))[0]?.photos).toEqual([{ id: 'waiting:a' }]));
  expect(heldPhotos.size).toBe(0);
});
