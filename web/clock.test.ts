import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentTime, learnTime } from './clock.ts';

const NOON = Date.parse('2026-11-29T12:00:00Z');
const HOUR_MS = 3_600_000;
const answerAt = (time?: number) =>
  new Response('{}', time === undefined ? {} : { headers: { date: new Date(time).toUTCString() } });
const answer = (time?: number) => learnTime(Promise.resolve(answerAt(time)));

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(async () => {
  await answer(Date.now());
  vi.useRealTimers();
});

test.each([HOUR_MS, -HOUR_MS])('a device whose clock is off by %d ms goes by the time of the server', async (off) => {
  await answer(NOON - off);
  expect(currentTime().getTime()).toBe(NOON - off);
  vi.setSystemTime(NOON + 5_000);
  expect(currentTime().getTime(), 'the time goes on').toBe(NOON - off + 5_000);
  await answer(NOON + 5_000);
  expect(currentTime().getTime(), 'somebody sets the clock of the device right').toBe(NOON + 5_000);
});

test.each([
  ['seconds', NOON - 20_000],
  ['nothing that can be read', undefined],
])('a difference of %s changes nothing', async (_what, saidAt) => {
  await answer(saidAt);
  expect(currentTime().getTime()).toBe(NOON);
});

test('an answer that comes when the device wakes up says nothing about now', async () => {
  let respond = (_response: Response) => {};
  const late = learnTime(new Promise((resolve) => (respond = resolve)));
  vi.setSystemTime(NOON + HOUR_MS);
  respond(answerAt(NOON));
  await late;
  expect(currentTime().getTime()).toBe(NOON + HOUR_MS);
});
