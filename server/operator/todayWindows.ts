import type { Today } from '../../contract/operator/today.ts';
import { addDays, localDate, spanOfDays } from '../../domain/localDays.ts';
import { placesOf, type WindowKind, windowsOn } from '../../domain/windows.ts';
import type { Tx } from '../db/database.ts';
import { listZones } from '../payments/prices/prices.ts';
import { toOpening } from '../town/opening.sql.ts';
import { readWindowPlan } from '../town/windowPlan.sql.ts';
import { type BookedCounts, countBooked } from './todayWindows.sql.ts';

/** How full the windows of today and tomorrow are in each zone, and which promises are open. None without a plan. */
export async function readTodayWindows(tx: Tx, at: Date): Promise<Today['windows']> {
  const { windows: plan, opening: stored } = await readWindowPlan(tx, at);
  if (!plan) return [];
  const { timeZone } = toOpening(stored, null);
  const today = localDate(at, timeZone);
  const days = [today, addDays(today, 1)].map((date, index) => ({
    ...{ date, isFirst: index === 0 },
    span: spanOfDays({ from: date, until: date }, timeZone),
  }));
  const booked: { readonly date: string; readonly counts: readonly BookedCounts[] }[] = [];
  for (const { date, span, isFirst } of days) booked.push({ date, counts: await countBooked(tx, span, isFirst, at) });
  const zones = [null, ...(await listZones(tx, at)).map(({ id, name }) => ({ id, name }))];
  return zones.map((zone) => {
    const zoneId = zone?.id ?? null;
    const closures = (stored.closures ?? []).filter((one) => one.zoneId !== null && one.zoneId === zoneId);
    const now = closures.filter(({ from }) => new Date(from) <= at).map(({ until }) => new Date(until).getTime());
    // A pause ends windows that can no longer be chosen, and those that were booked before stay.
    const closed = { ...toOpening(stored, zoneId), pause: null };
    return {
      zone,
      closedUntil: now.length > 0 ? new Date(Math.max(...now)).toISOString() : null,
      days: booked.map(({ date, counts }) => {
        const found = counts.find((one) => one.zoneId === zoneId);
        const placesAt = (kind: WindowKind) => windowsOn(date, plan[kind], closed).length * placesOf(plan, zoneId);
        return {
          day: date,
          pickup: { places: placesAt('pickup'), taken: found?.pickup ?? 0 },
          return: { places: placesAt('return'), taken: found?.return ?? 0 },
          ...{ promised: found?.promised ?? 0, atRisk: found?.['at-risk'] ?? 0 },
        };
      }),
    };
  });
}
