import { createContext, useContext } from 'react';
import { SETTING_DEFAULTS } from '../../domain/settings.ts';
import { formatTownDay, formatTownTime } from './townDay.ts';

/** The time zone of the town. The console shows and takes all times in it. */
export const TownTimeZone = createContext<string>(SETTING_DEFAULTS.timeZone);

/** Formats the day of the town that a time is on. Prices, policies, zones and codes change when a day of the town begins. */
export function useTownDay(): (iso: string) => string {
  const timeZone = useContext(TownTimeZone);
  return (iso) => formatTownDay(iso, timeZone);
}

/** Formats a time on the clocks of the town for the middle of a sentence: 'today 2:01 am'. */
export function useTownTime(): (iso: string) => string {
  const timeZone = useContext(TownTimeZone);
  return (iso) => formatTownTime(iso, timeZone, new Date());
}
