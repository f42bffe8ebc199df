import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 719.98px)';

function listen(changed: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Whether the window is narrower than 720 px, where tables become cards. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    listen,
    () => window.matchMedia(NARROW).matches,
    () => false,
  );
}
