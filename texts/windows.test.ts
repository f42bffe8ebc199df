import { expect, test } from 'vitest';
import { instantOf } from '../domain/localDays.ts';
import { formatSpan, formatTimeSoon, formatWindow, formatWindowSoon } from './windows.ts';

const ZONE = 'America/New_York';
const at = (date: string, time: string) => instantOf(date, time, ZONE);
const window = (date: string, from: string, until: string) => ({ from: at(date, from), until: at(date, until) });
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('a window is short, and says only once whether it is before or after noon', () => {
  expect(plain(formatSpan(window('2026-12-04', '17:00', '19:00'), ZONE))).toBe('5–7 pm');
  expect(plain(formatSpan(window('2026-12-04', '11:00', '13:30'), ZONE))).toBe('11 am–1:30 pm');
  expect(plain(formatWindow(window('2026-12-04', '17:00', '19:00'), ZONE))).toBe('Fri, Dec 4, 5–7 pm');
});

test('a day has the name that people say', () => {
  const now = at('2026-12-03', '22:00');
  const soon = (date: string) => plain(formatWindowSoon(window(date, '08:00', '10:00'), ZONE, now));
  expect(['2026-12-03', '2026-12-04', '2026-12-09', '2026-12-10', '2026-12-02'].map(soon)).toEqual([
    'Today, 8–10 am',
    'Tomorrow, 8–10 am',
    'Wed, 8–10 am',
    'Thu, Dec 10, 8–10 am',
    'Wed, Dec 2, 8–10 am',
  ]);
  expect(plain(formatTimeSoon(at('2026-12-04', '19:00'), ZONE, now))).toBe('Tomorrow, 7 pm');
});
