import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../testing/waits.ts';
import { readSession } from '../api/currentSession.ts';
import { queueStep, readQueuedSteps } from '../deliveries/queuedSteps/queuedStepStore.ts';
import { heldPhotos } from '../files/heldPhotos.ts';
import { countWaitingSteps } from '../offline/storedSteps.ts';
import { openQuestion, subscribeToQuestion } from '../ui/ask.ts';
import { clearSession, expireSession, signIn, signOut } from './session.ts';
import { lossOf, signOutOnPurpose } from './signOutOnPurpose.ts';

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

const STEP = { deliveryId: 'd', action: 'brought-back', takenAt: '2026-11-21T08:00:00.000Z', attempt: 2 } as const;
const queueStepOf = (userId: string) =>
  queueStep({
    ...{ ...STEP, userId, requestKey: 'a key', photos: [{ id: 'waiting:a', photo: DOOR }] },
    report: {
      pin: '4821',
      reason: 'other',
      words: 'The key is under the mat',
      place: { latitude: 40.7, longitude: -74 },
    },
  });
/** What is left of it: no PIN, place, words or photo. */
const leftOf = (userId: string) => ({
  ...{ ...STEP, userId, key: `${userId}/d/brought-back/2` },
  problem: expect.stringMatching(/^You were signed out before it was sent/),
});
const signInAs = (id: string) => {
  vi.stubGlobal('fetch', async () => Response.json({ authToken: `that of ${id}`, user: { id } }));
  return signIn({ email: `${id}@example.com`, password: 'a password' });
};

test.each([
  ['the user signs out', signOut],
  ['it expires', () => expireSession('/duber')],
])(
  'a session that ends because %s takes what waiting steps say with it, and leaves that they were not sent',
  async (_words, end) => {
    heldPhotos.set('waiting:b', DOOR);
    await queueStepOf('me');
    expect(await countWaitingSteps('me')).toBe(1);
    end();
    await waitFor(async () => expect(await readQueuedSteps('me')).toEqual([leftOf('me')]));
    expect(await countWaitingSteps('me')).toBe(0);
    expect(heldPhotos.size).toBe(0);
  },
);

test('who signs in where the session of somebody else was only given up ends their waiting steps, and no others', async () => {
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
  await waitFor(async () => expect(await readQueuedSteps('me')).toEqual([leftOf('me')]));
  expect((await readQueuedSteps('bob'))[0]).toMatchObject({ report: { pin: '4821' } });
  expect((await readQueuedSteps('bob'))[0]?.photos?.[0]?.photo).toBeInstanceOf(Blob);
});

test('who signs out hears how many steps are lost, and stays signed in when they do not want that', async () => {
  const asked: string[] = [];
  let answer = false;
  const stopAnswering = subscribeToQuestion(() => {
    const question = openQuestion();
    if (!question) return;
    asked.push(question.text);
    question.answer(answer);
  });
  vi.stubGlobal('window', {});
  vi.stubGlobal('fetch', async () => Response.json({ authToken: 'that of me', user: { id: 'me', role: 'Duber' } }));
  await signIn({ email: 'me@example.com', password: 'a password' });
  await queueStepOf('me');
  await signOutOnPurpose();
  expect(readSession().state).toBe('authenticated');
  expect((await readQueuedSteps('me'))[0]).toMatchObject({ report: { pin: '4821' } });
  answer = true;
  await signOutOnPurpose();
  expect(readSession().state).toBe('not');
  stopAnswering();
  expect(asked).toEqual([lossOf(1), lossOf(1)]);
  expect(lossOf(3)).toMatch(/^3 steps were not sent yet/);
});
