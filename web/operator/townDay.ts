import { formatClock, MONTHS, weekdayOf } from '../../domain/hours.ts';
import { addDays, localClock, localDate } from '../../domain/localDays.ts';
import { formatDay } from '../ui/format.ts';

const unbroken = (text: string) => text.replaceAll(' ', '\u00a0');

/** '01 Dec 2026': the day of a time in the time zone of the town, wherever the browser is. It is not broken over two lines. */
export const formatTownDay = (iso: string, timeZone: string): string =>
  unbroken(formatDay(`${localDate(new Date(iso), timeZone)}T00:00:00Z`));

/** The last day before a time at which something is over. */
export const formatLastTownDay = (iso: string, timeZone: string): string =>
  formatTownDay(new Date(Date.parse(iso) - 1).toISOString(), timeZone);

/**
 * 'today 2:01 am', 'Thu 26 Nov 2:01 am' or '26 Nov 2025 2:01 am': a time on the clocks of the town, for the middle of a sentence. It
 * is not broken over two lines.
 */
export function formatTownTime(iso: string, timeZone: string, now: Date): string {
  const { date, time } = localClock(new Date(iso), timeZone);
  return unbroken(`${describeDate(date, localDate(now, timeZone))} ${formatClock(time)}`);
}

function describeDate(date: string, today: string): string {
  if (date === today) return 'today';
  if (date === addDays(today, -1)) return 'yesterday';
  if (date === addDays(today, 1)) return 'tomorrow';
  const day = `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3)}`;
  const year = date.slice(0, 4);
  return year === today.slice(0, 4) ? `${weekdayOf(date).slice(0, 3)} ${day}` : `${day} ${year}`;
}
