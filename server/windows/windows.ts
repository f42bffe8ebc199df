import type { WindowOffer } from '../../contract/windows.ts';
import { addDays, localDate, startOfLocalDay } from '../../domain/localDays.ts';
import { percentOf } from '../../domain/prices.ts';
import {
  NO_ZONE,
  placesLeft,
  placesOf,
  WINDOW_KINDS,
  type WindowKind,
  windowsOf,
  windowsOn,
} from '../../domain/windows.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { listZones, tariffAt } from '../payments/prices/prices.ts';
import { toOpening } from '../town/opening.sql.ts';
import { readWindowPlan } from '../town/windowPlan.sql.ts';
import { listTakenPlaces, readOfferedWindows } from './windows.sql.ts';

export { listTakenPlaces } from './windows.sql.ts';

export const windowHandlers = ({ db, now }: Context): Pick<Handlers, 'listWindows'> => ({
  listWindows: async ({ caller, query: { budAddressId: addressId } }) => {
    const at = now();
    const found = orNotFound(await readOfferedWindows(db, { bud: caller.id, addressId }, at));
    const { windows: plan, place, taken } = found;
    const opening = toOpening(found.opening);
    if (!plan) return { timeZone: opening.timeZone, fastest: 'standard', pickup: [], return: [], costsMore: {} };
    const { zoneId, tariff } = tariffAt(found, place);
    const leftIn = placesLeft(plan, zoneId, taken);
    const offers = (kind: WindowKind): WindowOffer[] =>
      windowsOf(plan, kind, opening, at).map((window) => ({
        ...isoTimes(window),
        left: leftIn(kind, window),
      }));
    return {
      ...{ timeZone: opening.timeZone, fastest: plan.fastest },
      ...{ pickup: offers('pickup'), return: offers('return') },
      costsMore: Object.fromEntries(
        Object.entries(tariff.turnaroundRates ?? {}).map(([turnaround, rate]) => [turnaround, percentOf(rate)]),
      ),
    };
  },
});

/** The places of the windows of today and tomorrow, and how many are taken, in each zone. None without a plan. */
export async function countWindows(tx: Tx, at: Date) {
  const { windows: plan, opening: stored } = await readWindowPlan(tx, at);
  if (!plan) return [];
  const opening = toOpening(stored);
  const today = localDate(at, opening.timeZone);
  const [start, end] = [0, 2].map((days) => startOfLocalDay(addDays(today, days), opening.timeZone)) as [Date, Date];
  const taken = await listTakenPlaces(tx, start, end);
  const zones = [{ id: null, name: null }, ...(await listZones(tx, at))];
  return [today, addDays(today, 1)].flatMap((day) =>
    WINDOW_KINDS.flatMap((kind) => {
      // A pause ends windows that can no longer be chosen, and those that were booked before stay.
      const windows = windowsOn(day, plan[kind], { ...opening, pause: null });
      return zones.map(({ id, name }) => ({
        ...{ day, kind, zone: name, places: windows.length * placesOf(plan, id) },
        taken: taken
          .filter((one) => one.kind === kind && one.zoneId === (id ?? NO_ZONE))
          .filter(({ startsAt }) => localDate(new Date(startsAt), opening.timeZone) === day)
          .reduce((sum, one) => sum + one.taken, 0),
      }));
    }),
  );
}
