import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../domain/durations.ts';

/** The simulated time, which runs faster than real time. */
export type CityClock = {
  /** The time of the servers. */
  now(): Date;
  /** Waits for some simulated minutes, or until the evening. */
  wait(minutes: number): Promise<void>;
  /** In the evening people start nothing new and finish what is open. */
  readonly isEvening: boolean;
  /** Ends all waits. */
  startEvening(): void;
};

export function createCityClock(speed: number, now: () => Date): CityClock {
  const day = new AbortController();
  return {
    now,
    async wait(minutes) {
      if (day.signal.aborted) return;
      await sleep((minutes * MINUTE_MS) / speed, undefined, { signal: day.signal }).catch(() => undefined);
    },
    get isEvening() {
      return day.signal.aborted;
    },
    startEvening: () => day.abort(),
  };
}
