import { addDays } from './localDays.ts';

/** The calendars of the banks: those of the USA keep the holidays of the Federal Reserve, those of Europe the days of TARGET. */
export type BankCalendar = 'fed' | 'target';

const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6];

const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
const dateOf = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** The n-th such weekday of a month. */
function nthWeekday(year: number, month: number, weekday: number, n: number): string {
  const first = weekdayOf(dateOf(year, month, 1));
  return dateOf(year, month, 1 + ((weekday - first + 7) % 7) + (n - 1) * 7);
}

/** Easter Sunday, by the anonymous Gregorian algorithm. */
export function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return dateOf(year, Math.floor(days / 31), (days % 31) + 1);
}

/** A holiday on a Sunday is kept on the Monday after it. One on a Saturday is not made up for: the Federal Reserve works on Friday. */
const observedByFed = (date: string): string => (weekdayOf(date) === SUNDAY ? addDays(date, 1) : date);

const lastMondayOfMay = (year: number): string => {
  const fifth = nthWeekday(year, 5, MONDAY, 5);
  return fifth <= dateOf(year, 5, 31) ? fifth : nthWeekday(year, 5, MONDAY, 4);
};

const HOLIDAYS: Readonly<Record<BankCalendar, (year: number) => readonly string[]>> = {
  fed: (year) => [
    // New Year, Juneteenth, Independence Day, Veterans Day and Christmas.
    ...[dateOf(year, 1, 1), dateOf(year, 6, 19), dateOf(year, 7, 4), dateOf(year, 11, 11), dateOf(year, 12, 25)].map(
      observedByFed,
    ),
    // Martin Luther King's birthday, Presidents' Day, Memorial Day, Labor Day, Columbus Day and Thanksgiving.
    ...[nthWeekday(year, 1, MONDAY, 3), nthWeekday(year, 2, MONDAY, 3), lastMondayOfMay(year)],
    ...[nthWeekday(year, 9, MONDAY, 1), nthWeekday(year, 10, MONDAY, 2), nthWeekday(year, 11, THURSDAY, 4)],
  ],
  target: (year) => [
    ...[dateOf(year, 1, 1), dateOf(year, 5, 1), dateOf(year, 12, 25), dateOf(year, 12, 26)],
    // Good Friday and Easter Monday.
    ...[addDays(easterSunday(year), -2), addDays(easterSunday(year), 1)],
  ],
};

/** The days of a year on which the banks are closed, without ordinary weekends, in order. */
export const bankHolidays = (calendar: BankCalendar, year: number): readonly string[] =>
  HOLIDAYS[calendar](year).toSorted();

function isBankDay(calendar: BankCalendar, date: string): boolean {
  const weekday = weekdayOf(date);
  return weekday !== SATURDAY && weekday !== SUNDAY && !HOLIDAYS[calendar](Number(date.slice(0, 4))).includes(date);
}

/** The first day after a date on which the banks work. */
export function nextBankDay(calendar: BankCalendar, date: string): string {
  let next = addDays(date, 1);
  while (!isBankDay(calendar, next)) next = addDays(next, 1);
  return next;
}
