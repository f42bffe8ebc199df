import { QueryObserver } from '@tanstack/react-query';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { errorBody } from '../../../contract/failures.ts';
import { waitFor } from '../../../testing/waits.ts';
import { queryClient } from '../../api/queryClient.ts';
import { deliveryKey } from '../../api/queryKeys.ts';
import { clearSession, signIn, signOut } from '../../session/session.ts';
import { dismissToast, getToasts } from '../../ui/toastStore.ts';
import { queueStep, readQueuedSteps } from './queuedStepStore.ts';
import { startSendQueue } from './sendQueue.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const USER = { id: 'me' };

/** How many seconds after noon each step was sent. */
const sentAt: number[] = [];
const stepAnswers: Response[] = [];
const requested: string[] = [];
/** The answer of a step that takes a while. */
let hanging: PromiseWithResolvers<Response> | undefined;

/** A server that signs in anybody, and takes every step unless `stepAnswers` says otherwise. */
async function answer(url: string, { body, signal }: RequestInit = {}): Promise<Response> {
  if (url === '/api/auth/login') {
    const isOther = String(body).includes('otto@');
    return Response.json(isOther ? { authToken: 'other', user: { id: 'otto' } } : { authToken: 'mine', user: USER });
  }
  if (url === '/api/auth/logout') return Response.json({});
  if (url === '/api/auth/session') return Response.json({ user: USER });
  sentAt.push((Date.now() - NOON) / 1_000);
  requested.push(url);
  signal?.addEventListener('abort', () => hanging?.reject(signal.reason));
  return (await hanging?.promise) ?? stepAnswers.shift() ?? Response.json({});
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOON });
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('location', { protocol: 'http:' });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => answer(url, init));
});
afterEach(() => {
  clearSession();
  sentAt.length = 0;
  requested.length = 0;
  hanging = undefined;
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const { id } of getToasts()) dismissToast(id);
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
  const tries = () => refetch.mock.calls.filter(([filters]) => String(filters?.queryKey) === 'dashboards').length;
  for (const count of [1, 2, 3, 4]) {
    await waitFor(() => expect(tries()).toBe(count));
    vi.advanceTimersByTime(15_000);
  }
  stop();
  expect(sentAt).toEqual([0, 45]);
  expect(await readQueuedSteps('me')).toEqual([]);
});

describe('a step that was sent', () => {
  /** A page that shows the delivery `d`, whose first fetch is answered. Returns how many steps wait at each fetch. */
  function showDelivery(refetch: () => Promise<unknown>) {
    const waitingAt: number[] = [];
    const page = new QueryObserver(queryClient, {
      queryKey: deliveryKey('d'),
      queryFn: async () => {
        const isFirst = waitingAt.push((await readQueuedSteps('me')).length) === 1;
        return isFirst ? 'delivery' : refetch();
      },
    });
    return { waitingAt, hide: page.subscribe(() => undefined) };
  }

  const queueDelivered = async () => {
    await signIn({ email: 'dan@example.com', password: 'secret' });
    await queueStep({ userId: 'me', deliveryId: 'd', action: 'delivered', takenAt: new Date().toISOString() });
  };

  test.each([
    ['fetched', () => Promise.resolve('delivered')],
    ['failed to fetch', () => Promise.reject(new Error('no delivery'))],
  ])('is shown as waiting until the page has %s what came of it, and not longer', async (_words, refetch) => {
    await queueDelivered();
    const { waitingAt, hide } = showDelivery(refetch);
    await waitFor(() => expect(waitingAt).toEqual([1]));
    const stop = startSendQueue('me');
    await waitFor(async () => expect(await readQueuedSteps('me')).toEqual([]));
    stop();
    hide();
    expect([sentAt.length, waitingAt.slice(0, 2)]).toEqual([1, [1, 1]]);
  });

  test('at a door is reported as sent, and not as what people know at this moment', async () => {
    await signIn({ email: 'dan@example.com', password: 'secret' });
    await queueStep({ userId: 'me', deliveryId: 'd', action: 'arrived-at-drop', takenAt: new Date().toISOString() });
    const stop = startSendQueue('me');
    await waitFor(() =>
      expect(getToasts().at(-1)).toMatchObject({
        title: 'Sent: At the door of the drop-off',
        description: expect.stringMatching(/^Sent now, done at /),
      }),
    );
    stop();
  });

  test('does not wait for a page whose answer hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await queueDelivered();
    const { waitingAt, hide } = showDelivery(() => new Promise(() => undefined));
    await waitFor(() => expect(waitingAt).toEqual([1]));
    const stop = startSendQueue('me');
    await waitFor(() => expect(waitingAt).toEqual([1, 1]));
    vi.advanceTimersByTime(10_000);
    await waitFor(async () => expect(await readQueuedSteps('me')).toEqual([]));
    stop();
    hide();
  });
});

test.each([
  ['taken', () => Response.json({}), 0],
  ['refused', () => Response.json(errorBody('wrongStatus'), { status: 409 }), 1],
])(
  'the next person to sign in sees nothing about a stored step that was %s, and sends no request for it',
  async (_words, end, left) => {
    hanging = Promise.withResolvers();
    await signIn({ email: 'dan@example.com', password: 'secret' });
    await queueStep({ userId: 'me', deliveryId: 'd', action: 'delivered', takenAt: new Date().toISOString() });
    const refetch = vi.spyOn(queryClient, 'invalidateQueries');
    const stop = startSendQueue('me');
    await waitFor(() => expect(requested).toHaveLength(1));
    signOut();
    stop();
    await signIn({ email: 'otto@example.com', password: 'secret' });
    refetch.mockClear();
    hanging.resolve(end());
    // The queue is done.
    await waitFor(() => expect(refetch).toHaveBeenCalled());
    expect([getToasts().filter(({ isLeaving }) => !isLeaving), requested]).toEqual([
      [],
      ['/api/deliveries/d/delivered'],
    ]);
    const steps = await readQueuedSteps('me');
    expect(steps.map(({ problem }) => problem)).toEqual(
      Array(left).fill(expect.stringMatching(/^You were signed out/)),
    );
  },
);

test('a step whose answer hangs does not block the steps of other deliveries', async () => {
  // Without the next try, which no other tab keeps away here.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController();
    setTimeout(() => limit.abort(), ms);
    return limit.signal;
  });
  hanging = Promise.withResolvers();
  await signIn({ email: 'dan@example.com', password: 'secret' });
  for (const deliveryId of ['d', 'e'])
    await queueStep({ userId: 'me', deliveryId, action: 'delivered', takenAt: new Date().toISOString() });
  const stop = startSendQueue('me');
  await waitFor(() => expect(requested).toHaveLength(1));
  vi.advanceTimersByTime(30_000);
  hanging = undefined;
  await waitFor(async () => expect((await readQueuedSteps('me')).map(({ deliveryId }) => deliveryId)).toEqual(['d']));
  stop();
});
