import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Log } from '../log.ts';

export type Worker = {
  /** Runs the job now instead of at its next interval. */
  wake(): void;
  /** Waits for the current run and starts no other. */
  stop(): Promise<void>;
};

export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /**
   * Does one piece of work. Returns false when none is left. A piece holds the database for at most 50 ms at a time, because the embedded
   * one is in the thread that answers requests.
   */
  readonly runOnce: () => Promise<boolean>;
  /** The time between two pieces, for work that nobody waits for. */
  readonly pauseMs?: number;
  /** Waits for the work that runs have started and not awaited. */
  readonly settle?: () => Promise<void>;
  /** While true, the job does not run. */
  readonly isPaused?: () => boolean;
  readonly log: Log;
};

/** How a server starts its jobs. Tests can run them one after another instead. */
export type StartWorker = (job: Job) => Worker;

const ERROR_DELAY_MS = 2_000;
const COALESCE_MS = 20;

/** Runs a job until no work is left, then again after `everyMs` or a wake-up. A failed run is logged. */
export function startWorker({ name, everyMs, runOnce, pauseMs, settle, isPaused = () => false, log }: Job): Worker {
  let isStopped = false;
  let isWoken = false;
  let endPause = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = globalThis.setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!isStopped) {
      isWoken = false;
      let wait = everyMs;
      try {
        while (!isStopped && !isPaused() && (await runOnce())) await (pauseMs ? setTimeout(pauseMs) : setImmediate());
      } catch (error) {
        log.warn({ err: error, worker: name }, 'a job run failed');
        wait = Math.max(everyMs, ERROR_DELAY_MS);
      }
      // One run for many wake-ups in a row: most of the cost of a run is looking for work.
      if (!isStopped && isWoken) await setTimeout(COALESCE_MS);
      else if (!isStopped) await pause(wait);
    }
  }

  const running = run();
  return {
    wake() {
      isWoken = true;
      endPause();
    },
    async stop() {
      isStopped = true;
      endPause();
      await running;
      await settle?.();
    },
  };
}
