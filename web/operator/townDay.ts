import { localDate } from '../../domain/localDays.ts';
import { formatDay } from '../ui/format.ts';

/** '01 Dec 2026': the day of a time in the time zone of the town, wherever the browser is. It is not broken over two lines. */
export const formatTownDay = (iso: string, timeZone: string): string =>
  formatDay(`${localDate(new Date(iso), timeZone)}T00:00:00Z`).replaceAll(' ', '\u00a0');

/** The last day before a time at which something is over. */
export const formatLastTownDay = (iso: string, timeZone: string): string =>
  formatTownDay(new Date(Date.parse(iso) - 1).toISOString(), timeZone);
