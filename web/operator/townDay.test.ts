import { expect, test } from 'vitest';
import { formatLastTownDay, formatTownDay } from './townDay.ts';

const NBSP = '\u00a0';
const words = (text: string) => text.replaceAll(NBSP, ' ');

test.each([
  ['2026-11-30T19:00:00.000Z', 'Asia/Karachi', '01 Dec 2026'],
  ['2026-12-01T05:00:00.000Z', 'America/New_York', '01 Dec 2026'],
  ['2026-12-01T08:00:00.000Z', 'America/Los_Angeles', '01 Dec 2026'],
  ['2026-12-01T00:00:00.000Z', 'UTC', '01 Dec 2026'],
])('a change that begins at %s, midnight of %s, holds from %s', (iso, timeZone, day) => {
  expect(words(formatTownDay(iso, timeZone))).toBe(day);
});

test('what is over when a day begins has the day before as its last', () => {
  expect(words(formatLastTownDay('2026-12-01T05:00:00.000Z', 'America/New_York'))).toBe('30 Nov 2026');
});
