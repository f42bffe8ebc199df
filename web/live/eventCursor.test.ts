import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CURSOR_HEADER } from '../../contract/call.ts';
import { beginAnew, noteAnswer, placeToListenFrom } from './eventCursor.ts';

const answer = (cursor?: string) =>
  new Response('{}', cursor === undefined ? {} : { headers: { [CURSOR_HEADER]: cursor } });
const note = (cursor?: string) => noteAnswer(Promise.resolve(answer(cursor)));

beforeEach(() => {
  vi.useFakeTimers();
  beginAnew();
});
afterEach(() => void vi.useRealTimers());

test('a stream goes on after the earliest of the answers, in whatever order they came', async () => {
  await note('1200-7');
  await note('999-80');
  await note('1200-3');
  await note();
  expect(await placeToListenFrom()).toBe('999-80');
});

test('of one transaction the smaller id is the earlier, as a number', async () => {
  await note('7-10');
  await note('7-9');
  expect(await placeToListenFrom()).toBe('7-9');
});

test('an answer that is still on its way is waited for', async () => {
  await note('20-1');
  let arrive = (_answer: Response) => {};
  void noteAnswer(new Promise((resolve) => (arrive = resolve)));
  const found = placeToListenFrom();
  arrive(answer('15-2'));
  expect(await found).toBe('15-2');
});

test('where an answer does not come soon, or none did, nobody can say', async () => {
  expect(await placeToListenFrom()).toBeUndefined();
  await note('20-1');
  void noteAnswer(new Promise(() => {}));
  const found = placeToListenFrom();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await found).toBeUndefined();
});

test('after a call that failed everything is looked at anew, after one that was given up it is not', async () => {
  const giveUp = new DOMException('The user aborted a request.', 'AbortError');
  await expect(noteAnswer(Promise.reject(giveUp))).rejects.toThrow('aborted');
  await note('20-1');
  expect(await placeToListenFrom()).toBe('20-1');
  await expect(noteAnswer(Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch');
  expect(await placeToListenFrom()).toBeUndefined();
  beginAnew();
  await noteAnswer(Promise.resolve(new Response('{}', { status: 503 })));
  await note('20-1');
  expect(await placeToListenFrom()).toBeUndefined();
});

test('a page that has been open for long looks anew, and one that begins anew goes by its next answer', async () => {
  await note('20-1');
  await vi.advanceTimersByTimeAsync(60_000);
  await note('90-1');
  expect(await placeToListenFrom()).toBeUndefined();
  beginAnew();
  await note('90-5');
  expect(await placeToListenFrom()).toBe('90-5');
});
