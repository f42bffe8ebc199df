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

test('a stream goes on after the earliest of the answers, in whatever order they came', async () => {
  await trackResponse('1200-7');
  await trackResponse('999-80');
  await trackResponse('1200-3');
  await trackResponse();
  expect(await getResumeCursor()).toBe('999-80');
});

test('of one transaction the smaller id is the earlier, as a number', async () => {
  await trackResponse('7-10');
  await trackResponse('7-9');
  expect(await getResumeCursor()).toBe('7-9');
});

test('an answer that is still on its way is waited for', async () => {
  await trackResponse('20-1');
  let arrive = (_answer: Response) => {};
  void trackCursor(new Promise((resolve) => (arrive = resolve)));
  const found = getResumeCursor();
  arrive(createResponse('15-2'));
  expect(await found).toBe('15-2');
});

test('where an answer does not come soon, or none did, nobody can say', async () => {
  expect(await getResumeCursor()).toBeUndefined();
  await trackResponse('20-1');
  void trackCursor(new Promise(() => {}));
  const found = getResumeCursor();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await found).toBeUndefined();
});

test('after a call that failed everything is looked at anew, after one that was given up it is not', async () => {
  const giveUp = new DOMException('The user aborted a request.', 'AbortError');
  await expect(trackCursor(Promise.reject(giveUp))).rejects.toThrow('aborted');
  await trackResponse('20-1');
  expect(await getResumeCursor()).toBe('20-1');
  await expect(trackCursor(Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch');
  expect(await getResumeCursor()).toBeUndefined();
  resetCursor();
  await trackCursor(Promise.resolve(new Response('{}', { status: 503 })));
  await trackResponse('20-1');
  expect(await getResumeCursor()).toBeUndefined();
});

test('a page that has been open for long looks anew, and one that begins anew goes by its next answer', async () => {
  await trackResponse('20-1');
  await vi.advanceTimersByTimeAsync(60_000);
  await trackResponse('90-1');
  expect(await getResumeCursor()).toBeUndefined();
  resetCursor();
  await trackResponse('90-5');
  expect(await getResumeCursor()).toBe('90-5');
});
