import { useEffect, useState } from 'react';

/** The longest wait, for a page that is never idle. */
const MAX_WAIT_MS = 2_000;

/** Calls `act` when the page is idle. */
export function whenIdle(act: () => void, signal: AbortSignal): void {
  const unlessAborted = () => {
    if (!signal.aborted) act();
  };
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === 'undefined') setTimeout(unlessAborted, 0);
  else requestIdleCallback(unlessAborted, { timeout: MAX_WAIT_MS });
}

/** Becomes true when the page is idle. */
export function useIdle(): boolean {
  const [isAtRest, setAtRest] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    whenIdle(() => setAtRest(true), left.signal);
    return () => left.abort();
  }, []);
  return isAtRest;
}
