import { useSyncExternalStore } from 'react';

const USES = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown'] as const;
let isPageUsed = false;

/** Whether anybody has pointed, scrolled or pressed a key since the page was loaded. */
export function useIsPageUsed(): boolean {
  return useSyncExternalStore(subscribeToUse, () => isPageUsed);
}

function subscribeToUse(onChange: () => void): () => void {
  const ended = new AbortController();
  const onUse = () => {
    isPageUsed = true;
    ended.abort();
    onChange();
  };
  for (const use of isPageUsed ? [] : USES) addEventListener(use, onUse, { passive: true, signal: ended.signal });
  return () => ended.abort();
}
