import { describe, expect, test } from 'vitest';
import { HOUR_MS } from './durations.ts';
import type { Hours, Weekday } from './hours.ts';
import { WEEKDAYS } from './hours.ts';
import { instantOf } from './localDays.ts';
import {
  canReturn,
  findWindow,
  leftOf,
  placesOf,
  proposeWindows,
  turnaroundOf,
  type WindowPlan,
  windowsOf,
} from './windows.ts';

const NEW_YORK = 'America/New_York';
const daily = (from: string, until: string): Hours => WEEKDAYS.map((weekday: Weekday) => ({ weekday, from, until }));
const PLAN: WindowPlan = {
  pickup: [...daily('08:00', '10:00'), ...daily('17:00', '19:00')],
  return: daily('18:00', '20:00'),
  places: 8,
  placesIn: { harbour: 2 },
  fastest: 'same-day',
  noticeHours: 2,
};
const OPEN = { closures: [], pause: null, timeZone: NEW_YORK };
const at = (date: string, time: string) => instantOf(date, time, NEW_YORK);
const hours = (from: Date, until: Date) => (until.getTime() - from.getTime()) / HOUR_MS;

describe('the windows of a town', () => {
  test('begin after the notice and reach two weeks ahead', () => {
    const windows = windowsOf(PLAN, 'pickup', OPEN, at('2026-12-01', '07:00'));
    expect(windows[0]?.from).toEqual(at('2026-12-01', '17:00'));
    expect(windows.at(-1)?.from).toEqual(at('2026-12-15', '17:00'));
  });

  test('leave out what a closure or a pause touches', () => {
    const now = at('2026-12-01', '01:00');
    const closures = [{ from: at('2026-12-02', '18:30'), until: at('2026-12-03', '00:00'), words: 'A fair' }];
    const pause = { until: at('2026-12-01', '09:00').toISOString(), words: 'Snow' };
    const starts = windowsOf(PLAN, 'pickup', { ...OPEN, closures, pause }, now).map(({ from }) => from.toISOString());
    expect(starts.slice(0, 3)).toEqual(
      [at('2026-12-01', '17:00'), at('2026-12-02', '08:00'), at('2026-12-03', '08:00')].map((one) => one.toISOString()),
    );
  });

  test('keep their hours on the clocks of the town when these change', () => {
    const windows = windowsOf(PLAN, 'pickup', OPEN, at('2026-10-31', '06:00')).slice(0, 4);
    expect(windows.map(({ from, until }) => hours(from, until))).toEqual([2, 2, 2, 2]);
    expect(hours(windows[0]?.from as Date, windows[2]?.from as Date)).toBe(25);
  });

  test('are found by their start, as long as they are offered', () => {
    const now = at('2026-12-01', '07:00');
    const from = at('2026-12-02', '08:00');
    expect(findWindow(PLAN, { kind: 'pickup', from }, OPEN, now)?.until).toEqual(at('2026-12-02', '10:00'));
    expect(findWindow(PLAN, { kind: 'return', from }, OPEN, now)).toBeUndefined();
  });
});

test('a turnaround counts the days of the town, and laundry needs time to be washed', () => {
  const pickup = { from: at('2026-12-01', '08:00'), until: at('2026-12-01', '10:00') };
  const back = (date: string) => ({ pickup, return: { from: at(date, '18:00'), until: at(date, '20:00') } });
  expect(['2026-12-01', '2026-12-02', '2026-12-03'].map((date) => turnaroundOf(back(date), NEW_YORK))).toEqual([
    'same-day',
    'next-day',
    'standard',
  ]);
  expect(canReturn(back('2026-12-01'), PLAN, NEW_YORK)).toBe(true);
  expect(canReturn(back('2026-12-01'), { fastest: 'next-day' }, NEW_YORK)).toBe(false);
  const evening = { from: at('2026-12-01', '15:00'), until: at('2026-12-01', '17:00') };
  expect(canReturn({ ...back('2026-12-01'), pickup: evening }, PLAN, NEW_YORK)).toBe(false);
});

test('a zone may have another number of places, and people read how many are left', () => {
  expect([placesOf(PLAN, null), placesOf(PLAN, 'harbour'), placesOf(PLAN, 'hill')]).toEqual([8, 2, 8]);
  expect([leftOf(8, 0), leftOf(8, 6), leftOf(8, 8), leftOf(2, 1), leftOf(2, 3)]).toEqual([
    'many',
    'few',
    'none',
    'few',
    'none',
  ]);
});

test('proposed windows fill the hours of a day up to midnight', () => {
  const spans = proposeWindows([{ weekday: 'Friday', from: '17:00', until: '02:00' }], 2);
  expect(spans.map(({ from, until }) => `${from}-${until}`)).toEqual(['17:00-19:00', '19:00-21:00', '21:00-23:00']);
});
