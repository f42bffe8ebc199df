import { setTimeout } from 'node:timers/promises';
import type { Log } from '../context.ts';

export type Worker = {
  /** Looks for work now instead of at the next round. */
  wake(): void;
  /** Lets the round under way finish and starts no other. */
  stop(): Promise<void>;
};

type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** Does one piece of work; false when there was none left. */
  readonly runOnce: () => Promise<boolean>;
  readonly log: Log;
};

const ERROR_DELAY_MS = 2_000;
const COALESCE_MS = 20;

/** Does a job's work until none is left, then again after `everyMs` or a nudge. A failed round is logged, never fatal. */
export function startWorker({ name, everyMs, runOnce: doOne, log }: Job): Worker {
  let stopped = false;
  let nudged = false;
  let wake = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = globalThis.setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!stopped) {
      nudged = false;
      let wait = everyMs;
      try {
        while (!stopped && (await doOne())) {}
      } catch (error) {
        log.warn({ err: error, worker: name }, 'a round of work failed');
        wait = Math.max(everyMs, ERROR_DELAY_MS);
      }
      // Work that comes by the hundred is looked for in one go: a round for each would be the larger part of it.
      if (!stopped && nudged) await setTimeout(COALESCE_MS);
      else if (!stopped) await pause(wait);
    }
  }

  const running = run();
  return {
    wake() {
      nudged = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
