import { useCallback, useSyncExternalStore } from 'react';

const NARROW_QUERY = '(max-width: 719.98px)';
const COMPACT_QUERY = '(max-width: 61.99em)';

function useMediaQuery(media: string): boolean {
  const listen = useCallback(
    (changed: () => void) => {
      const query = window.matchMedia(media);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    [media],
  );
  return useSyncExternalStore(
    listen,
    () => window.matchMedia(media).matches,
    () => false,
  );
}

/** Whether the window is narrower than 720 px, where tables become cards. */
export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW_QUERY);
}

/** Whether the shell's sidebar is a bottom bar, and a page has one column. */
export function useIsCompact(): boolean {
  return useMediaQuery(COMPACT_QUERY);
}
