// When a Scrub works, and how much.

import { canonicalHours, type Hours } from './hours.ts';
import { ORDER_SIZES, type OrderSize } from './orders.ts';
import type { OrderWindows } from './windows.ts';

export type ScrubWeek = {
  /** Laundry comes and goes between these times of the town's clocks. None: at any time. */
  readonly hours: Hours;
  /** At most so many pounds and orders a day; null for no limit. */
  readonly poundsADay: number | null;
  readonly ordersADay: number | null;
  /** The load sizes that they take; null for all. */
  readonly sizes: readonly OrderSize[] | null;
  /** A pickup begins at least so many hours after its order. */
  readonly noticeHours: number;
};

/** Who has set nothing works always, without a limit. */
export const EVERY_DAY = {
  hours: [],
  poundsADay: null,
  ordersADay: null,
  sizes: null,
  noticeHours: 0,
} satisfies ScrubWeek;

export const MAX_POUNDS_A_DAY = 2_000;
export const MAX_ORDERS_A_DAY = 200;
export const MAX_DAYS_OFF = 30;
/** Days off are planned at most so far ahead. */
export const LAST_DAY_OFF = 366;
/** How many days the calendar shows. */
export const CALENDAR_DAYS = 14;

/** Dates of the town, the last one included. */
export type DaysOff = { readonly from: string; readonly until: string };

/**
 * What an order asks of a Scrub. Without windows it is done as soon as possible: then only the day, the size and the limits matter. A return
 * without a pickup takes no part of a day.
 */
export type AskedWork = {
  readonly at: Date;
  readonly zone: string;
  readonly pounds?: number;
  readonly size?: OrderSize | null;
  /** An order whose own booking is free for it. */
  readonly order?: string;
  readonly pickupFrom?: Date;
  readonly pickupUntil?: Date;
  readonly returnFrom?: Date;
  readonly returnUntil?: Date;
};

export const askedTimes = ({ pickup, return: back }: OrderWindows) => ({
  ...{ pickupFrom: pickup.from, pickupUntil: pickup.until },
  ...{ returnFrom: back.from, returnUntil: back.until },
});

const canonical = ({ hours, poundsADay, ordersADay, sizes, noticeHours }: ScrubWeek) => [
  canonicalHours(hours),
  ...[poundsADay, ordersADay, noticeHours, sizes && ORDER_SIZES.filter((size) => sizes.includes(size))],
];

export const isSameWeek = (a: ScrubWeek, b: ScrubWeek): boolean =>
  JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
