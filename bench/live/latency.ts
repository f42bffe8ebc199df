import { setTimeout } from 'node:timers/promises';
import { quantile } from '../api/load.ts';

/** Publishes an event to people, by their numbers. Resolves when it is committed or sent. */
export type PublishEvent = (id: string, people: readonly number[]) => Promise<void>;

export type LatencyResult = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly received: number;
  readonly missed: number;
};

export type PublishPlan = {
  readonly seconds: number;
  /** Milliseconds between two events; 0 for as fast as possible. */
  readonly intervalMs: number;
  /** How many events are being published at a time. */
  readonly writers: number;
  /** How many people get each event. */
  readonly people: number;
  readonly totalPeople: number;
};

const DRAIN_TIMEOUT_MS = 10_000;

/** Measures the time from publishing an event to receiving it. Listeners call `receive` with the id of each event. */
export function createLatencyRecorder() {
  const sent = new Map<string, number>();
  const delays: number[] = [];
  let received = 0;
  let lastReceivedAt = 0;
  return {
    receive: (id: string) => {
      received += 1;
      lastReceivedAt = performance.now();
      const sentAt = sent.get(id);
      // An event can arrive before we know of its commit. Its delay is too short to measure.
      delays.push(sentAt === undefined ? 0 : lastReceivedAt - sentAt);
    },
    /** Publishes events as planned and waits until all of them have arrived. */
    async run(
      publish: PublishEvent,
      { seconds, intervalMs, writers, people, totalPeople }: PublishPlan,
    ): Promise<LatencyResult> {
      sent.clear();
      delays.length = 0;
      received = 0;
      let expected = 0;
      const startedAt = performance.now();
      let count = 0;
      const write = async () => {
        while (performance.now() - startedAt < seconds * 1000) {
          const n = count;
          count += 1;
          const id = crypto.randomUUID();
          await publish(
            id,
            Array.from({ length: people }, (_, index) => (n * 7 + index * 13) % totalPeople),
          );
          sent.set(id, performance.now());
          expected += people;
          if (intervalMs > 0) await setTimeout(Math.max(0, startedAt + (n + 1) * intervalMs - performance.now()));
        }
      };
      await Promise.all(Array.from({ length: writers }, write));
      const deadline = performance.now() + DRAIN_TIMEOUT_MS;
      while (received < expected && performance.now() < deadline) await setTimeout(20);
      return {
        perSecond: received / ((lastReceivedAt - startedAt) / 1000),
        p50Ms: quantile(delays, 0.5),
        p99Ms: quantile(delays, 0.99),
        received,
        missed: expected - received,
      };
    },
  };
}
