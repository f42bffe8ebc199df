import { CallFailed } from '../../../contract/callClient.ts';
import type { Position } from '../../../contract/positions.ts';
import { isVague, POSITION_INTERVAL_MS, roundPosition } from '../../../domain/positions.ts';
import type { PhonePlace } from '../../places/geolocation.ts';

type SenderOptions = {
  readonly send: (place: PhonePlace) => Promise<{ position: Position | null }>;
  readonly onSent: (at: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back after so many milliseconds; returns a function that cancels it. */
  readonly schedule: (act: () => void, ms: number) => () => void;
};

/** A place that is known exactly at last is another one. */
const isSame = (a: PhonePlace | Position | undefined, b: PhonePlace) =>
  a?.latitude === b.latitude && a.longitude === b.longitude && isVague(a) === isVague(b);

/** Sends the phone's position at most every five seconds, and only when it moved. */
export function startPositionSender({ send, onSent, now, schedule: later }: SenderOptions) {
  let last: PhonePlace | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let waiting: PhonePlace | undefined;
  let callOff: (() => void) | undefined;
  let underWay: Promise<void> | undefined;
  let stopped = false;

  async function deliver(point: PhonePlace): Promise<void> {
    try {
      const { position } = await send(point);
      if (position && isSame(position, point)) {
        last = point;
        onSent(position.at);
      } else {
        // The server ignored it because it came too soon.
        waiting ??= point;
      }
    } catch (error) {
      if (error instanceof CallFailed && error.statusCode < 429) stopped = true;
      // Without a network it is retried: a phone that does not move reports no other position.
      else waiting ??= point;
    }
    // Counts from the answer: the server counts from when it received the last one.
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
    take(place: PhonePlace): void {
      waiting = { ...roundPosition(place), accuracy: place.accuracy };
      wait();
    },
    /** Stops sending, and resolves when no request is in flight. */
    async stop(): Promise<void> {
      stopped = true;
      callOff?.();
      await underWay;
    },
  };
}
