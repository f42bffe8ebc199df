import { setTimeout } from 'node:timers/promises';
import { quantile } from '../api/load.ts';

/** Tells so many people (by their numbers) of something with this id; resolves when that is committed, or sent. */
export type PublishEvent = (id: string, people: readonly number[]) => Promise<void>;

export type LatencyResult = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly missed: number;
};

export type PublishPlan = {
  readonly seconds: number;
  /** Milliseconds between two; 0 tells as fast as it goes. */
  readonly intervalMs: number;
  /** How many people each concerns. */
  readonly people: number;
  readonly totalPeople: number;
};

const DRAIN_TIMEOUT_MS = 10_000;

/** What arrives at the listeners, and when: `arrivals` is called by them. */
export function createLatencyRecorder() {
  const sent = new Map<string, number>();
  const delays: number[] = [];
  let heard = 0;
  let lastAt = 0;
  return {
    hear: (id: string) => {
      heard += 1;
      lastAt = performance.now();
      const at = sent.get(id);
      // What arrives before the commit is known here took no time that anybody could measure.
      delays.push(at === undefined ? 0 : lastAt - at);
    },
    /** Tells by a plan and waits for everything to arrive. */
    async run(
      tell: PublishEvent,
      { seconds, intervalMs: everyMs, people, totalPeople: of }: PublishPlan,
    ): Promise<LatencyResult> {
      sent.clear();
      delays.length = 0;
      heard = 0;
      let told = 0;
      const began = performance.now();
      for (let n = 0; performance.now() - began < seconds * 1000; n += 1) {
        const id = crypto.randomUUID();
        await tell(
          id,
          Array.from({ length: people }, (_, index) => (n * 7 + index * 13) % of),
        );
        sent.set(id, performance.now());
        told += people;
        if (everyMs > 0) await setTimeout(Math.max(0, began + (n + 1) * everyMs - performance.now()));
      }
      const until = performance.now() + DRAIN_TIMEOUT_MS;
      while (heard < told && performance.now() < until) await setTimeout(20);
      return {
        perSecond: heard / ((lastAt - began) / 1000),
        p50Ms: quantile(delays, 0.5),
        p99Ms: quantile(delays, 0.99),
        missed: told - heard,
      };
    },
  };
}
