import { SETTING_DEFAULTS } from '../../domain/settings.ts';
import { useTown } from './settings/townQuery.ts';
import { formatTownDay } from './townDay.ts';

/** Formats the day of the town that a time is on. Prices, policies, zones and codes change when a day of the town begins. */
export function useTownDay(): (iso: string) => string {
  const { data } = useTown();
  const timeZone = data?.timeZone ?? SETTING_DEFAULTS.timeZone;
  return (iso) => formatTownDay(iso, timeZone);
}
