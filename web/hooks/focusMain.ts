import { type RefObject, useLayoutEffect } from 'react';

/** When an element disappears with the focus in it, moves the focus to the page. It would otherwise go to the body. */
export function useFocusMainOnUnmount(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown?.contains(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, [element]);
}
