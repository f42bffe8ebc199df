/** Runs `work` as soon as there is room. Calls `onFull` when too many are waiting already. */
export type Semaphore = <T>(work: () => Promise<T>, onFull: () => never) => Promise<T>;

/** Runs up to `maxRunning` tasks at a time, in the order they came, while up to `maxWaiting` others wait. */
export function createSemaphore(maxRunning: number, maxWaiting: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work, onFull) => {
    if (running < maxRunning) running += 1;
    else if (waiting.length >= maxWaiting) onFull();
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
