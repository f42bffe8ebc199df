// What it means to move an order to other windows.

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
} from './windows.ts';

/** The windows of an order, and how fast the turnaround is that its Bud pays for. */
export type OrderTimes = OrderWindows & { readonly turnaround: Turnaround };

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

const isSameStart = (window: TimeWindow, from: Date) => window.from.getTime() === from.getTime();

/** Judges a move. What its Bud pays for stays, also while the laundry comes back more slowly. A town that has taken its plan back offers no window. */
export function judgeMove(
  { turnaround, ...current }: OrderTimes,
  { pickupFrom = current.pickup.from, returnFrom }: WantedTimes,
  { plan, closed }: { readonly plan: WindowPlan | null; readonly closed: Closed },
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
