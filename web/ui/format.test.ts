import { expect, test } from 'vitest';
import {
  formatDate,
  formatDateInText,
  formatDay,
  formatKm,
  formatMoney,
  formatRoughKm,
  formatTimeSpan,
  initialOf,
  labelOf,
  shortId,
} from './format.ts';

test('money has a dollar sign, thousands separators and two decimals', () => {
  expect(formatMoney(26.83)).toBe('$26.83');
  expect(formatMoney(1234.5)).toBe('$1,234.50');
  expect(formatMoney(0)).toBe('$0.00');
});

test('money reads as Intl would write it, to the cent and however large', () => {
  const intl = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  const amounts = Array.from({ length: 300 }, (_, index) => (index * 7) / 100);
  const large = Array.from({ length: 600 }, (_, index) => Math.round(1.05 ** index * 7) / 100).filter(
    (dollars) => dollars < 1e13,
  );
  for (const dollars of [...amounts, ...large, 0.1 + 0.2, 19.99 * 3])
    for (const signed of [dollars, -dollars].filter((amount) => !Object.is(amount, -0)))
      expect(formatMoney(signed)).toBe(intl.format(signed));
});

test('half a cent is rounded up, and what is no amount shows none', () => {
  for (const [dollars, text] of [
    [1.005, '$1.01'],
    [8.575, '$8.58'],
    [-1.005, '-$1.01'],
    [0.004_999, '$0.00'],
    [1e-7, '$0.00'],
    [Number.NaN, '$–'],
  ] as const)
    expect(formatMoney(dollars)).toBe(text);
});

test('distances are shown in kilometres with two decimals', () => {
  expect(formatKm(0)).toBe('0.00 km');
  expect(formatKm(1234)).toBe('1.23 km');
  expect(formatKm(4999)).toBe('5.00 km');
});

test('dates are shown as DD/MMM/YY : h:mm a', () => {
  expect(formatDate(new Date(2026, 10, 5, 14, 7).toISOString())).toBe('05/Nov/26 : 2:07 pm');
  expect(formatDate(new Date(2026, 0, 31, 0, 30).toISOString())).toBe('31/Jan/26 : 12:30 am');
  expect(formatDate(new Date(2026, 11, 9, 12, 0).toISOString())).toBe('09/Dec/26 : 12:00 pm');
  expect(formatDate(new Date(2005, 5, 1, 11, 59).toISOString())).toBe('01/Jun/05 : 11:59 am');
  expect(formatDate(new Date(2100, 1, 28, 23, 9).toISOString())).toBe('28/Feb/00 : 11:09 pm');
});

test('status labels have spaces, and delivery types have an arrow', () => {
  expect(labelOf('In_Progress')).toBe('In Progress');
  expect(labelOf('Way_To_Drop')).toBe('Way To Drop');
  expect(labelOf('Bud_To_Scrub', 'type')).toBe('Bud → Scrub');
});

test('a short id is the end of the id', () => {
  expect(shortId('0192f0c1-7a3b-7c4d-8e5f-0123456789ab')).toBe('…456789ab');
  expect(shortId('abc')).toBe('abc');
});

test('an initial is the first letter in upper case', () => {
  expect(initialOf(' ada byron')).toBe('A');
  expect(initialOf('🧺 Basket')).toBe('🧺');
  expect(initialOf('')).toBe('?');
});

test('a Monday is the same day in every time zone', () => {
  expect(formatDay('2026-11-23T00:00:00.000Z')).toBe('23 Nov 2026');
});

test('a time in a sentence is not broken over two lines', () => {
  expect(formatDateInText(new Date(2026, 10, 5, 14, 7).toISOString())).toBe('05/Nov/26\u00a0:\u00a02:07\u00a0pm');
});

test('a distance to a rounded place has no digits that nobody knows, and is never 0', () => {
  expect([0, 100, 400].map(formatRoughKm)).toEqual(Array(3).fill('less than 1 km'));
  expect([500, 1000, 1400, 12_345].map(formatRoughKm)).toEqual([
    'about 0.5 km',
    'about 1 km',
    'about 1.4 km',
    'about 12.3 km',
  ]);
});

test('a span of minutes is shown on the clock, with each half of the day once', () => {
  const at = (hours: number, minutes: number) => new Date(2026, 0, 5, hours, minutes).toISOString();
  expect(formatTimeSpan(at(14, 14), 6, 21)).toBe('2:20–2:35\u00a0pm');
  expect(formatTimeSpan(at(11, 55), 3, 8)).toBe('11:58\u00a0am–12:03\u00a0pm');
});
