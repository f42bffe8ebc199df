import { expect, test } from 'vitest';
import { localDate, mondayOf, nextLocalDate, startOfLocalDay } from './localDays.ts';

test.each([
  ['UTC', '2026-11-30', '2026-11-30T00:00:00.000Z'],
  ['Asia/Karachi', '2026-11-30', '2026-11-29T19:00:00.000Z'],
  ['America/New_York', '2026-07-01', '2026-07-01T04:00:00.000Z'],
  ['America/New_York', '2026-12-01', '2026-12-01T05:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-12-01', '2026-11-30T10:00:00.000Z'],
  ['Pacific/Niue', '2026-12-01', '2026-12-01T11:00:00.000Z'],
  // Clocks go from 23:59 to 01:00: there is no midnight.
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
])('in %s, %s begins at %s', (timeZone, date, start) => {
  expect(startOfLocalDay(date, timeZone).toISOString()).toBe(start);
  const minuteBefore = new Date(new Date(start).getTime() - 60_000);
  expect(localDate(new Date(start), timeZone)).toBe(date);
  expect(localDate(minuteBefore, timeZone) < date).toBe(true);
  expect(nextLocalDate(minuteBefore, timeZone)).toBe(date);
});

test('the day after the last of a year is the first of the next', () => {
  expect(nextLocalDate(new Date('2026-12-31T12:00:00Z'), 'UTC')).toBe('2027-01-01');
  expect(nextLocalDate(new Date('2028-02-28T12:00:00Z'), 'UTC')).toBe('2028-02-29');
});

test.each([
  ['2026-11-30', '2026-11-30'],
  ['2026-12-06', '2026-11-30'],
  ['2026-12-07', '2026-12-07'],
  ['2027-01-01', '2026-12-28'],
])('the week of %s begins on %s', (date, monday) => {
  expect(mondayOf(date)).toBe(monday);
});
