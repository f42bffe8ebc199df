import { SETTING_DEFAULTS } from '../../domain/settings.ts';
import { formatTownDay } from './townDay.ts';
import { useTown } from './townQuery.ts';

/** Formats the day of the town that a time is on. Prices, policies, zones and codes change when a day of the town begins. */
export function useTownDay(): (iso: string) => string {
  const { data } = useTown();
  const timeZone = data?.timeZone ?? SETTING_DEFAULTS.timeZone;
  return (iso) => formatTownDay(iso, timeZone);
}
