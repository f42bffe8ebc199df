import { expect, test } from 'vitest';
import { formatWait, secondsUntil } from './waits.ts';

test('a wait is said in the unit that people use, rounded up', () => {
  const words = [1, 2, 59, 60, 61, 120, 7200, 7201, 86_400].map(formatWait);
  expect(words).toEqual([
    '1 second',
    '2 seconds',
    '59 seconds',
    '1 minute',
    '2 minutes',
    '2 minutes',
    '120 minutes',
    '3 hours',
    '24 hours',
  ]);
});

test('a wait that is almost over is one second', () => {
  const now = new Date('2026-01-05T10:00:00.000Z');
  expect(secondsUntil(now, now)).toBe(1);
  expect(secondsUntil(new Date('2026-01-05T10:00:01.001Z'), now)).toBe(2);
});
