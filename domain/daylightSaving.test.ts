import { expect, test } from 'vitest';
import { offsetAt, ZONES_WITH_CHANGES } from '../testing/clockChanges.ts';
import { HOUR_MS } from './durations.ts';
import { type Hours, WEEKDAYS } from './hours.ts';
import { addDays, localClock, localDate, mondayOf, startOfLocalDay } from './localDays.ts';
import { turnaroundOf, windowsOn } from './windows.ts';

const TIMES = [
  ['00:00', '02:00'],
  ['02:00', '03:00'],
  ['03:00', '05:00'],
  ['08:00', '10:00'],
  ['22:00', '00:00'],
] as const;
const HOURS: Hours = WEEKDAYS.flatMap((weekday) => TIMES.map(([from, until]) => ({ weekday, from, until })));

test('there are many zones whose clocks change', () => {
  expect(ZONES_WITH_CHANGES.length).toBeGreaterThan(80);
});

test('windows keep their clocks over the next ten changes of every zone, and none overlaps another', () => {
  for (const { zone, changes } of ZONES_WITH_CHANGES)
    for (const change of changes)
      for (const date of [-1, 0, 1].map((days) => addDays(change, days))) {
        const windows = windowsOn(date, HOURS, { closures: [], pause: null, timeZone: zone });
        const where = `${zone} ${date}`;
        // A window is left out where the clocks jump over the whole of it.
        expect([where, windows.length >= TIMES.length - 1]).toEqual([where, true]);
        for (const [n, { from, until }] of windows.entries()) {
          const next = windows[n + 1];
          expect([where, from < until, !next || until <= next.from]).toEqual([where, true, true]);
          expect([where, localDate(from, zone)]).toEqual([where, date]);
          const { time } = localClock(from, zone);
          const isJump = offsetAt(from.getTime() - 1, zone) !== offsetAt(from.getTime(), zone);
          expect([where, isJump || TIMES.some(([start]) => start === time)]).toEqual([where, true]);
          // The promised time is the end of a return.
          const { time: promised } = localClock(until, zone);
          const endsInJump = offsetAt(until.getTime() - 1, zone) !== offsetAt(until.getTime(), zone);
          expect([where, endsInJump || TIMES.some(([, end]) => end === promised)]).toEqual([where, true]);
        }
      }
});

test('a turnaround counts the days of the town also where a day has 23 or 25 hours', () => {
  const hours: Hours = WEEKDAYS.map((weekday) => ({ weekday, from: '17:00', until: '19:00' }));
  for (const { zone, changes } of ZONES_WITH_CHANGES)
    for (const change of changes)
      for (const days of [-1, 0]) {
        const on = (date: string) => windowsOn(date, hours, { closures: [], pause: null, timeZone: zone })[0];
        const [pickup, tomorrow, later] = [0, 1, 2].map((after) => on(addDays(change, days + after)));
        if (!pickup || !tomorrow || !later) throw new Error(`${zone} ${change} has no evening`);
        expect([zone, change, turnaroundOf({ pickup, return: tomorrow }, zone)]).toEqual([zone, change, 'next-day']);
        expect([zone, change, turnaroundOf({ pickup, return: later }, zone)]).toEqual([zone, change, 'standard']);
      }
});

test('a week of payouts has seven days, of which one may be up to two hours longer or shorter', () => {
  for (const { zone, changes } of ZONES_WITH_CHANGES)
    for (const change of changes) {
      const monday = mondayOf(change);
      const [start, end] = [monday, addDays(monday, 7)].map((date) => startOfLocalDay(date, zone).getTime());
      const hours = ((end ?? 0) - (start ?? 0)) / HOUR_MS;
      expect([zone, change, Math.abs(hours - 168) <= 2]).toEqual([zone, change, true]);
    }
});
