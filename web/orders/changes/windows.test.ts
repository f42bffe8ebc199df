import { expect, test } from 'vitest';
import { isSlower, returnsAfter, type Span, spanText } from './windows.ts';

const span = (start: string): Span => {
  const from = `2026-12-${start}:00.000Z`;
  return { from, until: new Date(Date.parse(from) + 7_200_000).toISOString() };
};
const TIMES = {
  ...{ pickup: span('01T17:00'), return: span('02T17:00'), turnaround: 'next-day' },
  promisedAt: '2026-12-02T19:00:00.000Z',
} as const;
const OFFERED = {
  ...{ timeZone: 'UTC', fastest: 'next-day', pickup: [span('02T17:00')] },
  return: [span('02T17:00'), span('03T17:00'), span('04T17:00')],
} as const;
const offered = { ...OFFERED, pickup: [...OFFERED.pickup], return: [...OFFERED.return] };

test('only returns are offered that are possible after the pickup, with the agreed one among them', () => {
  expect(returnsAfter(TIMES.pickup, TIMES, offered)).toEqual([span('02T17:00'), span('03T17:00'), span('04T17:00')]);
  expect(returnsAfter(span('02T17:00'), TIMES, offered)).toEqual([span('03T17:00'), span('04T17:00')]);
});

test('a move is slower when the laundry comes back later than its Bud pays for', () => {
  expect(isSlower(TIMES, TIMES.pickup, span('02T17:00'), 'UTC')).toBe(false);
  expect(isSlower(TIMES, span('02T17:00'), span('03T17:00'), 'UTC')).toBe(false);
  expect(isSlower(TIMES, TIMES.pickup, span('04T17:00'), 'UTC')).toBe(true);
});

test('a window is written by the clocks of the town', () => {
  expect(spanText(span('01T17:00'), 'America/New_York').replaceAll('\u00a0', ' ')).toBe('Tue, Dec 1, 12–2 pm');
});
