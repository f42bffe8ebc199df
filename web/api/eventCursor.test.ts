import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CURSOR_HEADER } from '../../contract/call.ts';
import { getResumeCursor, resetCursor, trackCursor } from './eventCursor.ts';

const createResponse = (cursor?: string) =>
  new Response('{}', cursor === undefined ? {} : { headers: { [CURSOR_HEADER]: cursor } });
const trackResponse = (cursor?: string) => trackCursor(Promise.resolve(createResponse(cursor)));

beforeEach(() => {
  vi.useFakeTimers();
  resetCursor();
});
afterEach(() => void vi.useRealTimers());

test('a stream resumes at the earliest cursor, whatever order the responses arrive in', async () => {
  await trackResponse('1200-7');
  await trackResponse('999-80');
  await trackResponse('1200-3');
  await trackResponse();
  expect(await getResumeCursor()).toBe('999-80');
});

test('cursors of one transaction are compared by id, as numbers', async () => {
  await trackResponse('7-10');
  await trackResponse('7-9');
  expect(await getResumeCursor()).toBe('7-9');
});

test('a pending response is waited for', async () => {
  await trackResponse('20-1');
  let respond = (_response: Response) => {};
  void trackCursor(new Promise((resolve) => (respond = resolve)));
  const cursor = getResumeCursor();
  respond(createResponse('15-2'));
  expect(await cursor).toBe('15-2');
});

test('the cursor is unknown before the first response, and while a response is late', async () => {
  expect(await getResumeCursor()).toBeUndefined();
  await trackResponse('20-1');
  void trackCursor(new Promise(() => {}));
  const cursor = getResumeCursor();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await cursor).toBeUndefined();
});

test('the cursor is unknown after a failed call, but not after an aborted one', async () => {
  const aborted = new DOMException('The user aborted a request.', 'AbortError');
  await expect(trackCursor(Promise.reject(aborted))).rejects.toThrow('aborted');
  await trackResponse('20-1');
  expect(await getResumeCursor()).toBe('20-1');
  await expect(trackCursor(Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch');
  expect(await getResumeCursor()).toBeUndefined();
  resetCursor();
  await trackCursor(Promise.resolve(new Response('{}', { status: 503 })));
  await trackResponse('20-1');
  expect(await getResumeCursor()).toBeUndefined();
});

test('the cursor is unknown on a page that has been open for long, until the page starts over', async () => {
  await trackResponse('20-1');
  await vi.advanceTimersByTimeAsync(60_000);
  await trackResponse('90-1');
  expect(await getResumeCursor()).toBeUndefined();
  resetCursor();
  await trackResponse('90-5');
  expect(await getResumeCursor()).toBe('90-5');
});
