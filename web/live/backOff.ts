const MIN_BACKOFF_MS = 800;
const MAX_BACKOFF_MS = 15_000;

/** Waits before the next attempt: longer after each failure, with jitter. Ends early when the network returns. */
export function backOff(attempt: number, signal: AbortSignal): Promise<void> {
  const maxDelay = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (attempt - 1));
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, maxDelay / 2 + (Math.random() * maxDelay) / 2);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
