// When somebody comes for laundry and brings it back: the windows of a town, made from its settings, and how fast two of them are.

import { DAY_MS, HOUR_MS } from './durations.ts';
import {
  canonicalHours,
  DAY_MINUTES,
  findHoursProblem,
  type Hours,
  minutesOf,
  type Opening,
  spansOn,
} from './hours.ts';
import { addDays, localDate } from './localDays.ts';

export const WINDOW_KINDS = ['pickup', 'return'] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

/** How fast laundry comes back, by the dates of its two windows; the fastest first. */
export const TURNAROUNDS = ['same-day', 'next-day', 'standard'] as const;
export type Turnaround = (typeof TURNAROUNDS)[number];

/** The windows that a town offers in each week. A town without a plan offers none. */
export type WindowPlan = Readonly<Record<WindowKind, Hours>> & {
  /** How many orders one window takes in each zone, and outside of all zones. */
  readonly places: number;
  /** The zones with another number, by their ids. */
  readonly placesIn: Readonly<Record<string, number>>;
  /** The fastest turnaround that is offered. */
  readonly fastest: Turnaround;
  /** How long before its start a window can still be chosen. */
  readonly noticeHours: number;
};

/** A span of time in which somebody comes. Its start names it among those of its kind. */
export type TimeWindow = { readonly from: Date; readonly until: Date };

/** The two windows of an order. */
export type OrderWindows = Readonly<Record<WindowKind, TimeWindow>>;

/** What the people of an order agree on: its windows, and what follows from them. */
export type AgreedTimes = OrderWindows & { readonly turnaround: Turnaround; readonly promisedAt: Date };

/** How far ahead windows are offered. */
export const WINDOW_DAYS = 14;
/** No window begins later than this. */
export const LAST_WINDOW_MS = (WINDOW_DAYS + 2) * DAY_MS;
export const MAX_WINDOWS_A_DAY = 8;
export const MAX_PLACES = 1_000;
export const MAX_NOTICE_HOURS = 72;
/** At least so long is between the end of a pickup and the start of the return: the Scrub washes. */
export const LEAST_WASH_MS = 4 * HOUR_MS;
/** Until so long before a window begins, its Bud moves it free of charge. */
export const MOVE_UNTIL_MS = 2 * HOUR_MS;

/** Why a window is not offered. */
export type Closed = Pick<Opening, 'closures' | 'pause' | 'timeZone'>;

/** The windows of a kind on a date of the town, also those that have begun. */
export const windowsOn = (date: string, hours: Hours, closed: Closed): TimeWindow[] =>
  spansOn(date, { hours, timeZone: closed.timeZone }).filter((window) => !isClosed(window, closed));

const isClosed = ({ from, until }: TimeWindow, { closures, pause }: Closed): boolean =>
  closures.some((closure) => closure.from < until && from < closure.until) ||
  (pause !== null && from < new Date(pause.until));

/** The windows of a kind that can be chosen now, soonest first. None overlaps a closure or the pause. */
export function windowsOf(plan: WindowPlan, kind: WindowKind, closed: Closed, now: Date): TimeWindow[] {
  const { timeZone } = closed;
  const today = localDate(now, timeZone);
  const earliest = new Date(now.getTime() + plan.noticeHours * HOUR_MS);
  return Array.from({ length: WINDOW_DAYS + 1 }, (_, day) =>
    spansOn(addDays(today, day), { hours: plan[kind], timeZone }),
  )
    .flat()
    .filter((window) => window.from >= earliest && !isClosed(window, closed))
    .toSorted((a, b) => a.from.getTime() - b.from.getTime());
}

/** The window of a kind that starts then, if it can be chosen now. */
export const findWindow = (
  plan: WindowPlan,
  { kind, from }: { readonly kind: WindowKind; readonly from: Date },
  closed: Closed,
  now: Date,
): TimeWindow | undefined =>
  windowsOf(plan, kind, closed, now).find((window) => window.from.getTime() === from.getTime());

/** The zone of addresses outside of all zones. */
export const NO_ZONE = '00000000-0000-0000-0000-000000000000';

/** How many orders a window takes in a zone; null for outside of all zones. */
export const placesOf = ({ places, placesIn }: WindowPlan, zoneId: string | null): number =>
  (zoneId === null ? undefined : placesIn[zoneId]) ?? places;

/** How many orders have taken a place of a window in a zone. */
export type TakenPlaces = {
  readonly kind: WindowKind;
  readonly startsAt: Date | string;
  /** NO_ZONE outside of all zones. */
  readonly zoneId: string;
  readonly taken: number;
};

/** How many places of the windows of a zone are left. */
export function placesLeft(plan: WindowPlan, zoneId: string | null, all: readonly TakenPlaces[]) {
  const places = placesOf(plan, zoneId);
  const nameOf = (kind: WindowKind, from: Date) => `${kind} ${from.getTime()}`;
  const taken = new Map(
    all
      .filter((one) => one.zoneId === (zoneId ?? NO_ZONE))
      .map((one) => [nameOf(one.kind, new Date(one.startsAt)), one.taken]),
  );
  return (kind: WindowKind, { from }: TimeWindow): Left => leftOf(places, taken.get(nameOf(kind, from)) ?? 0);
}

/** A window of two columns that are null together. */
export const windowOf = (from: Date | null, until: Date | null): TimeWindow | undefined =>
  from && until ? { from, until } : undefined;

/** How fast laundry comes back, by the days of the town's clocks. */
export function turnaroundOf({ pickup, return: back }: OrderWindows, timeZone: string): Turnaround {
  const day = localDate(pickup.from, timeZone);
  const returned = localDate(back.from, timeZone);
  if (returned <= day) return 'same-day';
  return returned === addDays(day, 1) ? 'next-day' : 'standard';
}

/** Whether the laundry of a pickup can be back in a window: there is time to wash it, and the town offers to be so fast. */
export const canReturn = (windows: OrderWindows, { fastest }: Pick<WindowPlan, 'fastest'>, timeZone: string): boolean =>
  windows.return.from.getTime() - windows.pickup.until.getTime() >= LEAST_WASH_MS &&
  TURNAROUNDS.indexOf(turnaroundOf(windows, timeZone)) >= TURNAROUNDS.indexOf(fastest);

/** Why an order cannot have its windows, or its Scrub on that day. */
export const WINDOW_REFUSALS = ['windowGone', 'windowFull', 'scrubFull', 'tooManyWaiting'] as const;
export type BookingRefusal = (typeof WINDOW_REFUSALS)[number];

export const LEFT = ['many', 'few', 'none'] as const;
/** How many places are left, as people read it. */
export type Left = (typeof LEFT)[number];

const FEW = 0.25;

export function leftOf(places: number, taken: number): Left {
  const left = places - taken;
  if (left <= 0) return 'none';
  return left <= Math.max(1, Math.floor(places * FEW)) ? 'few' : 'many';
}

/** Windows of this many hours, in whole minutes, that fill the times at which orders are taken, up to midnight: a proposal for a town without a plan. */
export function proposeWindows(hours: Hours, lengthHours: number): Hours {
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const length = Math.round(lengthHours * 60);
  return hours.flatMap(({ weekday, from, until }) => {
    const [start, end] = [minutesOf(from), until > from ? minutesOf(until) : DAY_MINUTES];
    return Array.from({ length: Math.floor((end - start) / length) }, (_, n) => ({
      ...{ weekday, from: clock(start + n * length) },
      until: clock(start + (n + 1) * length),
    }));
  });
}

const canonical = (plan: WindowPlan | null) =>
  plan && [
    ...WINDOW_KINDS.map((kind) => canonicalHours(plan[kind])),
    ...[
      plan.places,
      plan.fastest,
      plan.noticeHours,
      Object.entries(plan.placesIn).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ],
  ];

export const isSamePlan = (a: WindowPlan | null, b: WindowPlan | null): boolean =>
  JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));

/** The problem with a plan; undefined when it is valid. */
export const findPlanProblem = (plan: Pick<WindowPlan, WindowKind>): string | undefined =>
  WINDOW_KINDS.map((kind) => findHoursProblem(plan[kind], MAX_WINDOWS_A_DAY)).find((problem) => problem !== undefined);

/**
 * What Today counts of the orders with windows: those in which a Duber fetches and brings back laundry, those that are promised and not
 * back, and those of them that may be late.
 */
export const BOOKED_PARTS = ['pickup', 'return', 'promised', 'at-risk'] as const;
export type BookedPart = (typeof BOOKED_PARTS)[number];
