import { expect, test } from 'vitest';
import { bankHolidays, easterSunday, nextBankDay } from './bankDays.ts';

// As the Federal Reserve and the European Central Bank publish them. A holiday of the Federal Reserve on a Saturday stays there.
const FED: Readonly<Record<number, string>> = {
  2024: '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25',
  2025: '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2026: '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25',
  2027: '01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25',
  2028: '01-01 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25',
  2029: '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25',
  2030: '01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25',
  2031: '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2032: '01-01 01-19 02-16 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25',
  2033: '01-01 01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26',
};
const TARGET: Readonly<Record<number, string>> = {
  2024: '01-01 03-29 04-01 05-01 12-25 12-26',
  2025: '01-01 04-18 04-21 05-01 12-25 12-26',
  2026: '01-01 04-03 04-06 05-01 12-25 12-26',
  2027: '01-01 03-26 03-29 05-01 12-25 12-26',
  2028: '01-01 04-14 04-17 05-01 12-25 12-26',
  2029: '01-01 03-30 04-02 05-01 12-25 12-26',
  2030: '01-01 04-19 04-22 05-01 12-25 12-26',
  2031: '01-01 04-11 04-14 05-01 12-25 12-26',
  2032: '01-01 03-26 03-29 05-01 12-25 12-26',
  2033: '01-01 04-15 04-18 05-01 12-25 12-26',
};

test.each([
  ['fed', FED],
  ['target', TARGET],
] as const)('the holidays of %s are those that it publishes, in ten years', (calendar, years) => {
  for (const [year, days] of Object.entries(years))
    expect(bankHolidays(calendar, Number(year))).toEqual(days.split(' ').map((day) => `${year}-${day}`));
});

test('Easter is on its earliest and its latest day where the tables have it', () => {
  expect([1818, 1943, 2008, 2038].map(easterSunday)).toEqual(['1818-03-22', '1943-04-25', '2008-03-23', '2038-04-25']);
});

test.each([
  ['fed', '2026-11-23', '2026-11-24'],
  ['fed', '2026-11-27', '2026-11-30'],
  ['fed', '2026-12-24', '2026-12-28'],
  ['fed', '2026-12-31', '2027-01-04'],
  // Independence Day is on a Saturday: the Federal Reserve works on Friday.
  ['fed', '2026-07-02', '2026-07-03'],
  ['fed', '2027-07-02', '2027-07-06'],
  ['fed', '2026-04-02', '2026-04-03'],
  ['target', '2026-11-25', '2026-11-26'],
  ['target', '2026-12-24', '2026-12-28'],
  ['target', '2026-04-02', '2026-04-07'],
  ['target', '2026-04-30', '2026-05-04'],
  ['target', '2026-07-03', '2026-07-06'],
] as const)('a file for %s that is made on %s is paid on %s', (calendar, made, paid) => {
  expect(nextBankDay(calendar, made)).toBe(paid);
});
