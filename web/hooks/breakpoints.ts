import { useCallback, useSyncExternalStore } from 'react';

const CARDS_QUERY = '(max-width: 1199.98px)';
/** The same as in ui/toast.module.css. */
const ONE_TOAST_QUERY = '(max-width: 767.98px)';
const HOVER_QUERY = '(hover: hover)';
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

/** Whether the window is narrower than 1200 px, where a table with all its columns does not fit and becomes cards. */
export function useHasCards(): boolean {
  return useMediaQuery(CARDS_QUERY);
}

/** Whether the window is so narrow that the sidebar becomes a bottom bar and pages have one column. */
export function useIsCompact(): boolean {
  return useMediaQuery(COMPACT_QUERY);
}

/** Whether the pointer can rest over something. On a touch screen that lasts from one touch to the next. */
export function useCanHover(): boolean {
  return useMediaQuery(HOVER_QUERY);
}

/** Whether the window is so narrow that only the newest toast is shown. */
export function useHasOneToast(): boolean {
  return useMediaQuery(ONE_TOAST_QUERY);
}
