import { useCallback, useSyncExternalStore } from 'react';

const NARROW_QUERY = '(max-width: 719.98px)';
const COMPACT_QUERY = '(max-width: 61.99em)';

function useMediaQuery(media: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const query = window.matchMedia(media);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    [media],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(media).matches,
    () => false,
  );
}

/** Whether the window is narrower than 720 px, where tables become cards. */
export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW_QUERY);
}

/** Whether the window is so narrow that the sidebar becomes a bottom bar and pages have one column. */
export function useIsCompact(): boolean {
  return useMediaQuery(COMPACT_QUERY);
}
