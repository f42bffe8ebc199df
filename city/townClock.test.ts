import { expect, onTestFinished, test } from 'vitest';
import { HOUR_MS } from '../domain/durations.ts';
import { createTownClock, findFirstMorning } from './townClock.ts';

const at = (time: string) => new Date(`2026-12-${time}Z`).getTime();

test.each([
  ['on a Monday is the next day', '07T23:00:00', '08T08:00:00'],
  ['early on a Tuesday is the same day', '08T07:59:00', '08T08:00:00'],
  ['later on a Tuesday is a week later', '08T08:01:00', '15T08:00:00'],
])('the first morning of a city that is opened %s', (_what, opened, expected) => {
  expect(findFirstMorning(at(opened))).toBe(at(expected));
});

test('the clock knows whether an hour passed at once, or while people did things', () => {
  let real = at('07T12:00:00');
  const clock = createTownClock(() => real);
  onTestFinished(() => clock.close());
  const start = clock.now();
  expect(start.getTime()).toBe(at('08T08:00:00'));
  real += 1_000;
  clock.pass(5);
  real += 2_000;
  clock.pass(7);
  real += 3_000;
  expect(clock.now().getTime() - start.getTime()).toBe(12 * HOUR_MS + 6_000);
  expect(clock.now(4_000).getTime() - start.getTime(), 'before the second time').toBe(5 * HOUR_MS + 2_000);
  expect(clock.skippedBetween(start, clock.now())).toBe(12 * HOUR_MS);
  expect(clock.skippedBetween(start, clock.now(4_000))).toBe(5 * HOUR_MS);
  expect(clock.skippedBetween(clock.now(), clock.now())).toBe(0);
});
