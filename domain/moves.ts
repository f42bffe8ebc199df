// What it means to move an order to other windows.

import { MINUTE_MS } from './durations.ts';
import {
  type Closed,
  canReturn,
  findWindow,
  MOVE_UNTIL_MS,
  type OrderWindows,
  type TimeWindow,
  TURNAROUNDS,
  type Turnaround,
  turnaroundOf,
  type WindowKind,
  type WindowPlan,
  windowsOf,
} from './windows.ts';

/** The windows of an order, and how fast the turnaround is that its Bud pays for. */
export type OrderTimes = OrderWindows & { readonly turnaround: Turnaround };

/** The rules by which windows are offered. A town without a plan offers no windows. */
export type WindowRules = { readonly plan: WindowPlan | null; readonly closed: Closed };

/** The starts of the windows that somebody asks for. A pickup that is left out stays. */
export type WantedTimes = { readonly pickupFrom: Date | undefined; readonly returnFrom: Date };

/** The windows that an order would have, as far as they are offered, and what that means. */
export type WindowMove = {
  readonly movesPickup: boolean;
  /** Whether anything changes. */
  readonly isOther: boolean;
  /** Whether there is time until the first window that moves. */
  readonly isInTime: boolean;
  /** The new windows; undefined when the town does not offer them. */
  readonly windows: OrderWindows | undefined;
  readonly isOffered: boolean;
  /** Whether the laundry comes back faster than it was paid for. */
  readonly isFaster: boolean;
};

const LEAST_ANSWER_MS = 30 * MINUTE_MS;

/**
 * Until when a Bud answers a proposal: two hours before the agreed window that would move, or half an hour after the proposal if that is
 * later, but not while somebody already comes. A window that has begun is no limit.
 */
export function answerBy(agreed: Date, madeAt: Date): Date {
  const [start, soonest] = [agreed.getTime(), madeAt.getTime() + LEAST_ANSWER_MS];
  if (agreed <= madeAt) return new Date(soonest);
  return new Date(Math.min(start, Math.max(start - MOVE_UNTIL_MS, soonest)));
}

/** The windows that somebody can ask for, and the fastest turnaround of them. */
export type OtherWindows = Readonly<Record<WindowKind, readonly TimeWindow[]>> & { readonly fastest: Turnaround };

/**
 * The windows to which an order can move. A Bud can choose only as fast a return as they have paid for, and only in time;
 * others can propose any window that is offered.
 */
export function findOtherWindows(
  { turnaround, ...current }: OrderTimes,
  { plan, closed }: WindowRules,
  { role, hasPickupBegun }: { readonly role: 'Bud' | 'Scrub' | 'Operator'; readonly hasPickupBegun: boolean },
  now: Date,
): OtherWindows {
  if (!plan) return { pickup: [], return: [], fastest: turnaround };
  const isBud = role === 'Bud';
  const isInTime = (kind: WindowKind) => !isBud || current[kind].from.getTime() - now.getTime() >= MOVE_UNTIL_MS;
  const fastest = Math.max(TURNAROUNDS.indexOf(plan.fastest), isBud ? TURNAROUNDS.indexOf(turnaround) : 0);
  return {
    pickup: hasPickupBegun || !isInTime('pickup') ? [] : windowsOf(plan, 'pickup', closed, now),
    return: isInTime('return') ? windowsOf(plan, 'return', closed, now) : [],
    fastest: TURNAROUNDS[fastest] ?? turnaround,
  };
}

/** The windows of an order that fall into a time at which nobody comes. */
export type TouchedWindows = Readonly<Record<WindowKind, boolean>>;

/** What operators choose for the orders that a closure or a pause touches. */
export const TOUCHED_CHOICES = ['offer', 'keep', 'cancel'] as const;
export type TouchedChoice = (typeof TOUCHED_CHOICES)[number];
/** What operators choose for the orders of a zone that ends: no other window of it is left. */
export const ENDED_ZONE_CHOICES = ['keep', 'cancel'] as const satisfies TouchedChoice[];
/** What a Scrub chooses for their orders that days off touch. */
export const DAYS_OFF_CHOICES = ['offer', 'keep', 'give-back'] as const;
export type DaysOffChoice = (typeof DAYS_OFF_CHOICES)[number];
/** A closure that touches more orders than this is refused: close for a shorter time. */
export const MAX_TOUCHED = 200;

/** The next windows that are offered and can be had instead of those that are touched; undefined when there are none. */
export function findNextWindows(
  current: OrderWindows,
  touched: TouchedWindows,
  { plan, closed }: WindowRules,
  isTaken: (kind: WindowKind, window: TimeWindow) => boolean,
  now: Date,
): OrderWindows | undefined {
  if (!plan) return undefined;
  const after = (kind: WindowKind) =>
    windowsOf(plan, kind, closed, now).filter((window) => window.from > current[kind].from && !isTaken(kind, window));
  const pickup = touched.pickup ? after('pickup')[0] : current.pickup;
  if (!pickup) return undefined;
  const isPossible = (back: TimeWindow) => canReturn({ pickup, return: back }, plan, closed.timeZone);
  if (!touched.return && isPossible(current.return)) return { pickup, return: current.return };
  const back = after('return').find(isPossible);
  return back && { pickup, return: back };
}

const isSameStart = (window: TimeWindow, from: Date) => window.from.getTime() === from.getTime();

/** Judges a move. What its Bud pays for stays, also while the laundry comes back more slowly. A town that has taken its plan back offers no window. */
export function judgeMove(
  { turnaround, ...current }: OrderTimes,
  { pickupFrom = current.pickup.from, returnFrom }: WantedTimes,
  { plan, closed }: WindowRules,
  now: Date,
): WindowMove {
  const { timeZone } = closed;
  const starts: Readonly<Record<WindowKind, Date>> = { pickup: pickupFrom, return: returnFrom };
  const moves = (kind: WindowKind) => !isSameStart(current[kind], starts[kind]);
  const [movesPickup, movesReturn] = [moves('pickup'), moves('return')];
  const find = (kind: WindowKind) =>
    moves(kind) ? (plan ? findWindow(plan, { kind, from: starts[kind] }, closed, now) : undefined) : current[kind];
  const [pickup, back] = [find('pickup'), find('return')];
  const windows = pickup && back && { pickup, return: back };
  const first = movesPickup ? current.pickup : current.return;
  return {
    movesPickup,
    isOther: movesPickup || movesReturn,
    isInTime: first.from.getTime() - now.getTime() >= MOVE_UNTIL_MS,
    windows,
    isOffered: plan !== null && windows !== undefined && canReturn(windows, plan, timeZone),
    isFaster:
      windows !== undefined && TURNAROUNDS.indexOf(turnaroundOf(windows, timeZone)) < TURNAROUNDS.indexOf(turnaround),
  };
}
