import type { WindowOffer } from '../../contract/windows.ts';
import { findClosed } from '../../domain/hours.ts';
import { percentOf } from '../../domain/prices.ts';
import { placesLeft, type WindowKind, windowsOf } from '../../domain/windows.ts';
import type { Context } from '../context.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { tariffAt } from '../payments/prices/prices.ts';
import { closedOf, toOpening } from '../town/opening.sql.ts';
import { readOfferedWindows } from './windows.sql.ts';

export { listTakenPlaces } from './windows.sql.ts';

export const windowHandlers = ({ db, now }: Context): Pick<Handlers, 'listWindows'> => ({
  listWindows: async ({ caller, query: { budAddressId: addressId } }) => {
    const at = now();
    const found = orNotFound(await readOfferedWindows(db, { bud: caller.id, addressId }, at));
    const { windows: plan, place, taken } = found;
    const { zoneId, tariff } = tariffAt(found, place);
    const opening = toOpening(found.opening, zoneId);
    const closed = closedOf(found.opening, null, at) ? null : findClosed(opening, at);
    const always = { timeZone: opening.timeZone, ...(closed ? { closed } : {}) };
    if (!plan) return { ...always, fastest: 'standard', pickup: [], return: [], costsMore: {} };
    const leftIn = placesLeft(plan, zoneId, taken);
    const offers = (kind: WindowKind): WindowOffer[] =>
      windowsOf(plan, kind, opening, at).map((window) => ({
        ...isoTimes(window),
        left: leftIn(kind, window),
      }));
    return {
      ...{ ...always, fastest: plan.fastest },
      ...{ pickup: offers('pickup'), return: offers('return') },
      costsMore: Object.fromEntries(
        Object.entries(tariff.turnaroundRates ?? {}).map(([turnaround, rate]) => [turnaround, percentOf(rate)]),
      ),
    };
  },
});
