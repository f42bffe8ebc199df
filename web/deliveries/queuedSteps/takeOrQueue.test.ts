import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TAKEN_AT_HEADER } from '../../../contract/call.ts';
import { CallFailed, Unreachable } from '../../../contract/callClient.ts';
import { errorBody, type Failure } from '../../../contract/failures.ts';
import { waitFor } from '../../../testing/waits.ts';
import { holdPhoto, sendPhoto } from '../../files/waitingPhoto.ts';
import { clearSession, signIn, signOut } from '../../session/session.ts';
import { errorMessageOf, RefusedHere } from '../../ui/errorMessage.ts';
import { readQueuedSteps } from './queuedStepStore.ts';
import { type NewStep, takeOrQueue } from './takeOrQueue.ts';

const DOOR = new Blob(['the door'], { type: 'image/jpeg' });
let photos = 0;
/** The id of a photo that is picked and not sent yet. */
const pickPhoto = () => holdPhoto(`photo-${photos++}`, DOOR);

const failing = (fileIds: string[]): NewStep => ({
  ...{ userId: 'me', deliveryId: 'd', action: 'pickup-failed', report: { reason: 'nobody-home', fileIds } },
});

type PhotoAnswer = 'no network' | Failure | { id: string };
/** The server's answers to photos. Everybody who signs in is 'me'. */
const post = vi.fn<typeof fetch>();
const answer: typeof fetch = async (url, init) => {
  if (url === '/api/auth/login') return Response.json({ authToken: 'mine', user: { id: 'me' } });
  if (url === '/api/auth/session') return Response.json({ user: { id: 'me' } });
  return url === '/api/auth/logout' ? Response.json({}) : post(url, init);
};
const answerPhotos = (...answers: readonly PhotoAnswer[]) => {
  for (const answer of answers)
    post.mockImplementationOnce(async () => {
      if (answer === 'no network') throw new TypeError('Failed to fetch');
      if (typeof answer === 'object') return Response.json(answer, { status: 201 });
      const body = errorBody(answer);
      return Response.json(body, { status: body.statusCode });
    });
};

const taken: (string[] | undefined)[] = [];
/** A server that takes every step. */
const take = async ({ report }: NewStep) => taken.push(report?.fileIds);

const signInWith = (token: string) => vi.stubGlobal('document', { cookie: `auth-token=${token}` });

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('location', { protocol: 'http:' });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('fetch', answer);
  post.mockReset();
  taken.length = 0;
  await signIn({ email: 'dan@example.com', password: 'secret' });
});
afterEach(() => {
  clearSession();
  vi.unstubAllGlobals();
});

test('with a network a step is taken at once, with the file of a photo that its form still sends, which is sent once', async () => {
  const id = pickPhoto();
  answerPhotos({ id: 'file' });
  const byTheForm = sendPhoto(id.slice('waiting:'.length), DOOR);
  expect(await takeOrQueue(failing(['sent-before', id]), take)).toBe(1);
  expect([await byTheForm, taken, post.mock.calls.length]).toEqual(['file', [['sent-before', 'file']], 1]);
  expect(await readQueuedSteps('me')).toEqual([]);
  // The step was refused, and is taken again from the same form.
  expect(await takeOrQueue(failing([id]), take)).toBe(2);
  expect(post).toHaveBeenCalledTimes(1);
});

test.each(['no network', 'notReady', 'tooManyPhotos'] as const)(
  'a step whose photo meets %s waits with the photo, and is not taken before it',
  async (answer) => {
    const id = pickPhoto();
    answerPhotos(answer);
    expect(await takeOrQueue(failing([id]), take, () => ({ attempt: 2 }))).toBeUndefined();
    expect(taken).toEqual([]);
    expect(await readQueuedSteps('me')).toMatchObject([
      { action: 'pickup-failed', attempt: 2, report: { fileIds: [id] }, photos: [{ id, photo: expect.any(Blob) }] },
    ]);
  },
);

test('a step whose photo is still being sent survives a reload, and its button answers after a moment', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const id = pickPhoto();
  const upload = Promise.withResolvers<Response>();
  post.mockReturnValueOnce(upload.promise);
  const pressed = takeOrQueue(failing([id]), take, () => ({ attempt: 2 }));
  await waitFor(() => expect(post).toHaveBeenCalledTimes(1));
  expect(await readQueuedSteps('me')).toMatchObject([
    { action: 'pickup-failed', attempt: 2, report: { fileIds: [id] }, photos: [{ id, photo: expect.any(Blob) }] },
  ]);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect([await pressed, taken]).toEqual([undefined, []]);
  expect(await readQueuedSteps('me')).toHaveLength(1);

  // It is sent like any other step that waited: by now it has a time of its own.
  post.mockResolvedValueOnce(Response.json({}));
  upload.resolve(Response.json({ id: 'file' }, { status: 201 }));
  await waitFor(async () => expect(await readQueuedSteps('me')).toEqual([]));
  const [path, sent] = post.mock.calls.at(-1) ?? [];
  expect([path, sent?.body]).toEqual([
    '/api/deliveries/d/pickup-failed',
    JSON.stringify({ reason: 'nobody-home', fileIds: ['file'] }),
  ]);
  expect(new Headers(sent?.headers).has(TAKEN_AT_HEADER)).toBe(true);
});

test('a step without a photo that hangs waits after a moment, survives a reload, and is sent again with its key', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sent: { key: string | undefined; signal: AbortSignal | undefined }[] = [];
  const hanging = takeOrQueue(failing([]), (_step, { idempotencyKey: key }, { signal } = {}) => {
    sent.push({ key, signal });
    return new Promise(() => undefined);
  });
  await waitFor(() => expect(sent).toHaveLength(1));
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect(await hanging).toBeUndefined();
  const [waiting] = await readQueuedSteps('me');
  expect(waiting).toMatchObject({ action: 'pickup-failed', requestKey: sent[0]?.key });
  // It must not arrive after the one that the queue sends.
  expect(sent[0]?.signal?.aborted).toBe(true);
});

test.each([
  ['where nothing can be stored', undefined],
  ['which its plan refuses by now', 'too early'],
])('a step that hangs and cannot wait, %s, waits for its answer', async (_words, refusal) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  if (refusal === undefined) vi.stubGlobal('indexedDB', undefined);
  const plan = () => {
    if (refusal !== undefined) throw new RefusedHere(refusal);
    return {};
  };
  const answer = Promise.withResolvers<string>();
  const send = vi.fn(() => answer.promise);
  const pressed = takeOrQueue(failing([]), send, plan);
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  answer.resolve('taken');
  expect(await pressed).toBe('taken');
});

test('a step that the server refuses after its photo is refused where it was pressed, and nothing waits', async () => {
  const refusal = new CallFailed(409, errorBody('stillWaiting'), new Headers());
  // The delivery is read, because the step may have happened on another device.
  answerPhotos({ id: 'file' }, 'notFound');
  const refuse = () => Promise.reject(refusal);
  await expect(takeOrQueue(failing([pickPhoto()]), refuse)).rejects.toBe(refusal);
  expect(await readQueuedSteps('me')).toEqual([]);
});

test('where nothing can be stored, a step goes the direct way', async () => {
  vi.stubGlobal('indexedDB', undefined);
  answerPhotos({ id: 'file' });
  expect([await takeOrQueue(failing([pickPhoto()]), take), taken]).toEqual([1, [['file']]]);
});

test('where nothing can be stored, a step without a network says in words that it cannot wait', async () => {
  vi.stubGlobal('indexedDB', undefined);
  const unreachable = () => Promise.reject(new Unreachable('gone'));
  await expect(takeOrQueue(failing([]), unreachable)).rejects.toSatisfy((error) =>
    errorMessageOf(error, 'Something went wrong').startsWith('There is no network, and your browser’s storage is full'),
  );
});

test('a photo that the server refuses refuses the step, and nothing waits', async () => {
  answerPhotos('notAPhoto');
  await expect(takeOrQueue(failing([pickPhoto()]), take)).rejects.toThrow(/Its photo was refused: This is not a photo/);
  expect([taken, await readQueuedSteps('me')]).toEqual([[], []]);
});

test('a step never overtakes one of its delivery that waits, and may be refused by what waits before it', async () => {
  const unreachable = () => Promise.reject(new Unreachable('gone'));
  const arrive: NewStep = { userId: 'me', deliveryId: 'd', action: 'arrived-at-pickup' };
  await takeOrQueue(arrive, unreachable);
  const before = vi.fn<Parameters<typeof takeOrQueue>[2] & object>(() => {
    throw new RefusedHere('too early');
  });
  await expect(takeOrQueue(failing([]), take, before)).rejects.toThrow('too early');
  expect(before.mock.calls[0]?.[0].map(({ action }) => action)).toEqual(['arrived-at-pickup']);
  await takeOrQueue(failing([]), take);
  expect((await readQueuedSteps('me')).map(({ action }) => action)).toEqual(['arrived-at-pickup', 'pickup-failed']);
  expect(taken).toEqual([]);
  await takeOrQueue({ ...failing([]), deliveryId: 'another' }, take);
  expect(taken).toHaveLength(1);
});

describe('a step that is being sent when its user signs out', () => {
  /** Ends the session once the database is being opened, just before something is stored. */
  const signOutAsItOpens = () => {
    const open = indexedDB.open.bind(indexedDB);
    vi.spyOn(indexedDB, 'open').mockImplementationOnce((...schema) => {
      const request = open(...schema);
      signOut();
      return request;
    });
  };
  const signInAsAnother = () => {
    signOut();
    signInWith('of-somebody-else');
  };

  test.each([
    ['they sign out', signOut],
    ['they sign out while the step is stored', signOutAsItOpens],
    ['somebody else signs in', signInAsAnother],
  ])('is not stored on the device afterwards, nor is its photo: %s', async (_words, end) => {
    const delivered: NewStep = { userId: 'me', deliveryId: 'd', action: 'delivered' };
    const withoutAnswer = async () => {
      end();
      throw new Unreachable('gone');
    };
    answerPhotos({ id: 'the answer to signing out' });
    await expect(takeOrQueue(delivered, withoutAnswer)).rejects.toThrow(/signed out before this was sent/);

    signInWith('mine');
    answerPhotos('notReady', { id: 'the answer to signing out' });
    const withPhoto = takeOrQueue(failing([pickPhoto()]), take, () => {
      end();
      return {};
    });
    await expect(withPhoto).rejects.toThrow(/signed out before this was sent/);
    expect([await readQueuedSteps('me'), taken]).toEqual([[], []]);
  });

  test('is not taken as somebody else who signs in while its photo is sent', async () => {
    post.mockImplementationOnce(async () => {
      signInWith('of-somebody-else');
      return Response.json({ id: 'file' }, { status: 201 });
    });
    expect(await takeOrQueue(failing([pickPhoto()]), take)).toBeUndefined();
    expect(taken).toEqual([]);
    // It waits until its own user is back.
    expect(await readQueuedSteps('me')).toHaveLength(1);
  });
});
