import { setTimeout as sleep } from 'node:timers/promises';

/** Time in the city, which runs faster than ours. */
export type Pace = {
  /** Waits for some minutes of the city, or until the evening comes. */
  wait(minutes: number): Promise<void>;
  /** After the evening nobody begins anything: people finish what is open. */
  readonly isEvening: boolean;
  /** Ends all waits. */
  bringEvening(): void;
};

const MINUTE_MS = 60_000;

export function createPace(speed: number): Pace {
  const day = new AbortController();
  return {
    async wait(minutes) {
      if (day.signal.aborted) return;
      await sleep((minutes * MINUTE_MS) / speed, undefined, { signal: day.signal }).catch(() => undefined);
    },
    get isEvening() {
      return day.signal.aborted;
    },
    bringEvening: () => day.abort(),
  };
}
