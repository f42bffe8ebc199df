/** Runs some work now or in its turn; `onFull` is for when too much waits already. */
export type Semaphore = <T>(work: () => Promise<T>, onFull: () => never) => Promise<T>;

/** A gate that lets `atOnce` pieces of work run at a time while at most `waitingAtMost` others wait, first come first served. */
export function createSemaphore(atOnce: number, waitingAtMost: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work, onFull) => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= waitingAtMost) onFull();
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
