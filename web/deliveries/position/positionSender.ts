import { CallFailed } from '../../../contract/client.ts';
import type { Position } from '../../../contract/positions.ts';
import type { Point } from '../../../domain/places.ts';
import { POSITION_INTERVAL_MS, roundPosition } from '../../../domain/positions.ts';

type SenderOptions = {
  readonly send: (point: Point) => Promise<{ position: Position | null }>;
  readonly onSent: (at: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back after so many milliseconds; gives the way to call it off. */
  readonly schedule: (act: () => void, ms: number) => () => void;
};

const isSame = (a: Point | undefined, b: Point) => a?.latitude === b.latitude && a.longitude === b.longitude;

/** Sends where a phone is: not more often than every five seconds, and only when it is somewhere else. */
export function startPositionSender({ send, onSent, now, schedule: later }: SenderOptions) {
  let last: Point | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let waiting: Point | undefined;
  let callOff: (() => void) | undefined;
  let underWay: Promise<void> | undefined;
  let stopped = false;

  async function deliver(point: Point): Promise<void> {
    try {
      const { position } = await send(point);
      if (position && isSame(position, point)) {
        last = point;
        onSent(position.at);
      } else {
        // It came too fast for the server, which let it go: nobody knows of it yet.
        waiting ??= point;
      }
    } catch (error) {
      if (error instanceof CallFailed && error.statusCode < 429) stopped = true;
      // Without a network it is tried again: a phone that lies still tells no other place.
      else waiting ??= point;
    }
    // From the answer on: the server counts from when it got the last one.
    sentAt = now();
  }

  function next(): void {
    callOff = undefined;
    const point = waiting;
    waiting = undefined;
    if (stopped || !point || isSame(last, point)) return;
    underWay = deliver(point).finally(() => {
      underWay = undefined;
      if (waiting) wait();
    });
  }

  function wait(): void {
    if (stopped || callOff || underWay) return;
    callOff = later(next, Math.max(0, sentAt + POSITION_INTERVAL_MS - now()));
  }

  return {
    take(point: Point): void {
      waiting = roundPosition(point);
      wait();
    },
    /** Sends nothing any more, and resolves when nothing is on its way. */
    async stop(): Promise<void> {
      stopped = true;
      callOff?.();
      await underWay;
    },
  };
}
