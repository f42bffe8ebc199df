import { setTimeout } from 'node:timers/promises';

/** How long and how often tests look whether a condition holds. Long enough for a very busy machine; it measures nothing. */
export const WAIT = { timeout: 100_000, interval: 20 };

/** Calls `attempt` until it does not throw, and returns its result. */
export async function waitFor<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() - startedAt > WAIT.timeout) throw error;
    }
    await setTimeout(WAIT.interval);
  }
}

/** Waits until a condition holds. */
export function waitUntil(condition: () => boolean): Promise<void> {
  return waitFor(() => {
    if (!condition()) throw new Error(`still not true: ${condition}`);
  });
}
