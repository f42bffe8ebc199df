import type { TimeWindow as Span, WindowOffer, WindowOffers } from '../../../contract/windows.ts';
import { localDate } from '../../../domain/localDays.ts';
import { isChargedFirst } from '../../../domain/weighing.ts';
import { canReturn, type Turnaround, turnaroundOf } from '../../../domain/windows.ts';
import { formatWindowSoon, insideSentence, toWindow } from '../../../texts/windows.ts';

/** The windows that a Bud has chosen. */
export type ChosenTimes = { readonly pickup: Span; readonly return: Span };
/** `lost`: what was chosen is no longer offered. */
export type DraftTimes = ChosenTimes | 'lost' | undefined;

/** What is chosen, as far as it is offered. */
export const chosenOf = (times: DraftTimes): ChosenTimes | undefined => (times === 'lost' ? undefined : times);

const windowsOf = ({ pickup, return: back }: ChosenTimes) => ({ pickup: toWindow(pickup), return: toWindow(back) });

const isFree = ({ left }: WindowOffer) => left !== 'none';

/** The returns that are possible after a pickup, soonest first. */
export const returnsAfter = (pickup: Span, offers: WindowOffers): WindowOffer[] =>
  offers.return
    .filter(isFree)
    .filter((back) => canReturn(windowsOf({ pickup, return: back }), offers, offers.timeZone));

/** The pickups with a place, after which a return is possible. */
export const possiblePickups = (offers: WindowOffers): WindowOffer[] =>
  offers.pickup.filter(isFree).filter((pickup) => returnsAfter(pickup, offers).length > 0);

export const turnaroundOfTimes = (times: ChosenTimes, { timeZone }: Pick<WindowOffers, 'timeZone'>): Turnaround =>
  turnaroundOf(windowsOf(times), timeZone);

/** The first return that costs nothing more; the first of all where each costs something. */
function firstReturn(pickup: Span, offers: WindowOffers): Span | undefined {
  const returns = returnsAfter(pickup, offers);
  const isFreeOfCharge = (back: Span) => !offers.costsMore[turnaroundOfTimes({ pickup, return: back }, offers)];
  return returns.find(isFreeOfCharge) ?? returns[0];
}

const bare = ({ from, until }: Span): Span => ({ from, until });

/** The times with a pickup. The return stays, if it is possible after that pickup. */
export function choosePickup(pickup: Span, offers: WindowOffers, before?: Span): ChosenTimes | undefined {
  const stays = before && returnsAfter(pickup, offers).find(({ from }) => from === before.from);
  const back = stays ?? firstReturn(pickup, offers);
  return back && { pickup: bare(pickup), return: bare(back) };
}

/** The first times that are possible. */
export function firstTimes(offers: WindowOffers): ChosenTimes | undefined {
  const [first] = possiblePickups(offers);
  return first && choosePickup(first, offers);
}

/** Chosen times as long as they are offered. */
export function keepOffered(times: DraftTimes, offers: WindowOffers | undefined): DraftTimes {
  if (times === undefined || times === 'lost' || offers === undefined) return times;
  const pickup = possiblePickups(offers).find(({ from }) => from === times.pickup.from);
  const isOffered = pickup && returnsAfter(pickup, offers).some(({ from }) => from === times.return.from);
  return isOffered ? times : 'lost';
}

/** Whether an order that is placed now and weighed later is charged before. */
export function isChargedBeforeWeighing(times: DraftTimes, now: Date): boolean {
  const chosen = chosenOf(times);
  return isChargedFirst(now, chosen && new Date(chosen.pickup.until));
}

/** The spans by the day of the town on which they begin. */
export const byDay = <S extends Span>(spans: readonly S[], timeZone: string): ReadonlyMap<string, S[]> =>
  Map.groupBy(spans, ({ from }) => localDate(new Date(from), timeZone));

/** 'Tomorrow, 5–7 pm, back Fri, 6–8 pm' */
export const timesText = ({ pickup, return: back }: ChosenTimes, timeZone: string, now: Date): string =>
  `${formatWindowSoon(toWindow(pickup), timeZone, now)}, back ${insideSentence(formatWindowSoon(toWindow(back), timeZone, now))}`;
