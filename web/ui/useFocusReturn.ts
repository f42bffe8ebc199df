import { useEffect, useInsertionEffect, useRef } from 'react';

/** So long after it has closed, whatever else takes the focus has it. */
const PAUSE_MS = 10;

/**
 * Gives the focus back to what had it before a dialog opened. Mantine's own does not when the dialog is mounted open, or unmounted
 * instead of closed. What has taken the focus meanwhile keeps it.
 */
export function useFocusReturn(isOpen: boolean): void {
  const opener = useRef<Element | null>(null);
  const timer = useRef<number>(undefined);
  // Before the effects of a field in the dialog that takes the focus.
  useInsertionEffect(() => {
    if (isOpen) opener.current = document.activeElement;
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    window.clearTimeout(timer.current);
    return () => {
      const atClose = document.activeElement;
      timer.current = window.setTimeout(() => {
        const now = document.activeElement;
        const isLeft = now === atClose && now?.closest('[role="dialog"]') !== null;
        const isFree = now === null || now === document.body || isLeft;
        if (isFree && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
      }, PAUSE_MS);
    };
  }, [isOpen]);
}
