import { expect, test } from 'vitest';
import { formatLastTownDay, formatTownDay, formatTownTime } from './townDay.ts';

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

test.each([
  ['2026-11-30T07:01:00.000Z', 'today 2:01 am'],
  ['2026-11-30T04:30:00.000Z', 'yesterday 11:30 pm'],
  ['2026-12-02T04:59:00.000Z', 'tomorrow 11:59 pm'],
  ['2026-11-26T17:05:00.000Z', 'Thu 26 Nov 12:05 pm'],
  ['2025-11-26T17:05:00.000Z', '26 Nov 2025 12:05 pm'],
])('%s reads in New York on 30 November as "%s"', (iso, text) => {
  expect(words(formatTownTime(iso, 'America/New_York', new Date('2026-11-30T18:00:00.000Z')))).toBe(text);
});
