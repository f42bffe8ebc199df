import { MINUTE_MS } from '../../domain/durations.ts';
import { addMinutes, DELIVERY_STEP_MINUTES } from './times.ts';

/** Who carries a bag when. A Duber has one active delivery at a time. */
export type Roster = {
  /** Books the first time from `from` on at which the Duber is free. */
  readonly book: (duber: string, from: Date) => Date;
  /** Books a delivery for the first of these Dubers who is free, or for the first of all when one is. */
  readonly bookAny: (dubers: readonly string[], from: Date) => { readonly duber: string; readonly at: Date };
  /** Books a Duber from a time on, for good: their delivery is still under way. */
  readonly keepBusy: (duber: string, from: Date) => void;
};

const DELIVERY_MINUTES = Math.max(...DELIVERY_STEP_MINUTES) + 10;
const RETRY_MINUTES = 15;

export function openRoster(): Roster {
  const booked = new Map<string, { from: number; to: number }[]>();
  const isFree = (duber: string, at: Date) =>
    !booked.get(duber)?.some(({ from, to }) => at.getTime() < to && from < at.getTime() + DELIVERY_MINUTES * MINUTE_MS);
  const add = (duber: string, from: number, to: number) => {
    booked.set(duber, [...(booked.get(duber) ?? []), { from, to }]);
  };
  const book = (duber: string, from: Date) => {
    let at = from;
    while (!isFree(duber, at)) at = addMinutes(at, RETRY_MINUTES);
    add(duber, at.getTime(), addMinutes(at, DELIVERY_MINUTES).getTime());
    return at;
  };
  return {
    book,
    bookAny: (dubers, from) => {
      const [first = ''] = dubers;
      const duber = dubers.find((one) => isFree(one, from)) ?? first;
      return { duber, at: book(duber, from) };
    },
    keepBusy: (duber, from) => add(duber, from.getTime(), Number.POSITIVE_INFINITY),
  };
}
