import { type RefObject, useEffect, useRef } from 'react';

/** Whether an element is in the part of the page that is seen. */
export function useIsInView(element: Element | undefined): RefObject<boolean> {
  const isInView = useRef(true);
  useEffect(() => {
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      isInView.current = entries.at(-1)?.isIntersecting ?? true;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return isInView;
}
