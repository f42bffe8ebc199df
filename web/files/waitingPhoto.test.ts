import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorBody } from '../../contract/failures.ts';
import { waitFor } from '../../testing/waits.ts';
import { isTemporary } from '../ui/errorMessage.ts';
import { sendPhoto } from './waitingPhoto.ts';

const DOOR = new Blob(['the door'], { type: 'image/jpeg' });
const post = vi.fn<typeof fetch>();
const signInWith = (token: string) => vi.stubGlobal('document', { cookie: `auth-token=${token}` });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  signInWith('mine');
  vi.stubGlobal('fetch', post);
  post.mockReset();
  post.mockImplementation(async () => Response.json({ id: 'file' }, { status: 201 }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a photo that the server asks to send later is sent again after that, however often it is tried before', async () => {
  const body = errorBody('tooManyPhotos');
  const headers = { 'retry-after': '600' };
  post.mockImplementationOnce(async () => Response.json(body, { status: body.statusCode, headers }));
  for (const seconds of [0, 15, 30, 500]) {
    vi.advanceTimersByTime(seconds * 1_000);
    await expect(sendPhoto('later', DOOR)).rejects.toMatchObject({ code: 'tooManyPhotos' });
  }
  expect(post).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_000);
  expect(await sendPhoto('later', DOOR)).toBe('file');
  expect(post).toHaveBeenCalledTimes(2);
});

test('a photo that hangs is given up after a while, and the next one is sent', async () => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  post.mockImplementationOnce(
    (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      }),
  );
  const refused = expect(sendPhoto('hangs', DOOR)).rejects.toSatisfy(isTemporary);
  const next = sendPhoto('next', DOOR);
  await waitFor(() => expect(post).toHaveBeenCalledTimes(1));
  limit.abort();
  await refused;
  expect([await next, await sendPhoto('hangs', DOOR)]).toEqual(['file', 'file']);
  expect(post).toHaveBeenCalledTimes(3);
});

test('a photo whose turn comes after somebody else has signed in is not sent', async () => {
  const first = Promise.withResolvers<Response>();
  post.mockImplementationOnce(() => first.promise);
  const [sent, waits] = [sendPhoto('first', DOOR), sendPhoto('second', DOOR)];
  const refused = expect(waits).rejects.toSatisfy(isTemporary);
  await waitFor(() => expect(post).toHaveBeenCalledTimes(1));
  signInWith('of-somebody-else');
  first.resolve(Response.json({ id: 'file' }, { status: 201 }));
  expect(await sent).toBe('file');
  await refused;
  expect(post).toHaveBeenCalledTimes(1);

  signInWith('mine');
  expect(await sendPhoto('second', DOOR)).toBe('file');
});
