import {
  type AgreedTimes,
  canReturn,
  findWindow,
  type OrderWindows,
  turnaroundOf,
  type WindowPlan,
} from '../../domain/windows.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import { type StoredOpening, toOpening } from '../town/opening.sql.ts';

type Chosen = { readonly pickupFrom?: string | undefined; readonly returnFrom?: string | undefined };
type Offered = {
  readonly windows: WindowPlan | null;
  readonly opening: StoredOpening;
  /** Of the Bud's address; null outside of all zones. */
  readonly zoneId: string | null;
};

/** The windows that a Bud has chosen, by their starts; undefined for as soon as possible. Refuses what the town does not offer now. */
export function chooseTimes(
  { pickupFrom, returnFrom }: Chosen,
  { windows: plan, opening, zoneId }: Offered,
  now: Date,
): AgreedTimes | undefined {
  if (pickupFrom === undefined && returnFrom === undefined) return undefined;
  if (pickupFrom === undefined || returnFrom === undefined)
    return refuseProperty(
      pickupFrom === undefined ? 'pickupFrom' : 'returnFrom',
      'isBoth',
      'Choose when your laundry is fetched and when it comes back, or neither',
    );
  if (!plan) return refuse('windowGone');
  const closed = toOpening(opening, zoneId);
  const find = (kind: 'pickup' | 'return', from: string) =>
    findWindow(plan, { kind, from: new Date(from) }, closed, now) ?? refuse('windowGone');
  const windows: OrderWindows = { pickup: find('pickup', pickupFrom), return: find('return', returnFrom) };
  if (!canReturn(windows, plan, closed.timeZone)) refuse('windowGone');
  return { ...windows, turnaround: turnaroundOf(windows, closed.timeZone), promisedAt: windows.return.until };
}
