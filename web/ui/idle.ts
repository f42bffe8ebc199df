import { useEffect, useState } from 'react';

/** A page that never comes to rest is taken to be so nevertheless. */
const MAX_WAIT_MS = 2_000;

/** Acts when the page has nothing more urgent to do. */
export function whenIdle(act: () => void, signal: AbortSignal): void {
  const unlessAborted = () => {
    if (!signal.aborted) act();
  };
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === 'undefined') setTimeout(unlessAborted, 0);
  else requestIdleCallback(unlessAborted, { timeout: MAX_WAIT_MS });
}

/** Becomes true when the page has nothing more urgent to do. */
export function useIdle(): boolean {
  const [isAtRest, setAtRest] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    whenIdle(() => setAtRest(true), left.signal);
    return () => left.abort();
  }, []);
  return isAtRest;
}
