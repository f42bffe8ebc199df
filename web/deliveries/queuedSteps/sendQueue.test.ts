import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorBody } from '../../../contract/failures.ts';
import { waitFor } from '../../../testing/waits.ts';
import { clearSession, signIn } from '../../accounts/session.ts';
import { queryClient } from '../../queryClient.ts';
import { queueStep, readQueuedSteps } from './queuedStepStore.ts';
import { startSendQueue } from './sendQueue.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const USER = { id: 'me' };

/** How many seconds after noon each step was sent. */
const sentAt: number[] = [];
const stepAnswers: Response[] = [];

/** A server that signs in anybody, and takes every step unless `stepAnswers` says otherwise. */
async function answer(url: string): Promise<Response> {
  if (url === '/api/auth/login') return Response.json({ authToken: 'mine', user: USER });
  if (url === '/api/auth/session') return Response.json({ user: USER });
  sentAt.push((Date.now() - NOON) / 1_000);
  return stepAnswers.shift() ?? Response.json({});
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOON });
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('location', { protocol: 'http:' });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('fetch', (url: string) => answer(url));
});
afterEach(() => {
  clearSession();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a step that the server asks to send later waits until then, and not only until the next try', async () => {
  await signIn({ email: 'dan@example.com', password: 'secret' });
  await queueStep({ userId: 'me', deliveryId: 'd', action: 'delivered', takenAt: new Date().toISOString() });
  const body = errorBody('notReady');
  stepAnswers.push(Response.json(body, { status: body.statusCode, headers: { 'retry-after': '40' } }));
  // Each try ends with it, for the deliveries and for the dashboards.
  const refetch = vi.spyOn(queryClient, 'invalidateQueries');
  const stop = startSendQueue('me');
  for (const tries of [1, 2, 3, 4]) {
    await waitFor(() => expect(refetch).toHaveBeenCalledTimes(2 * tries));
    vi.advanceTimersByTime(15_000);
  }
  stop();
  expect(sentAt).toEqual([0, 45]);
  expect(await readQueuedSteps('me')).toEqual([]);
});
