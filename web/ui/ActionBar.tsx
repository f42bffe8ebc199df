import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import styles from './ActionBar.module.css';

/**
 * The next step of an order or a delivery, at the thumb on phones.
 * `children` are its large buttons, `hint` says what they will do, `aside` holds what is hard to undo, away from them.
 */
export function ActionBar({
  hint,
  secondary: aside,
  children,
}: {
  hint?: ReactNode;
  secondary?: ReactNode;
  children?: ReactNode;
}) {
  const bar = useRef<HTMLElement>(null);
  useFocusMainOnUnmount(bar);
  return (
    <section ref={bar} className={styles.bar} aria-label="Next step">
      {hint && <p className={styles.hint}>{hint}</p>}
      {children && <div className={styles.main}>{children}</div>}
      {aside && <div className={styles.aside}>{aside}</div>}
    </section>
  );
}

/** When the last step is done its button is gone: the focus goes to the page, and not back to the top of the window. */
function useFocusMainOnUnmount(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const here = bar.current;
    return () => {
      if (here?.contains(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, [bar]);
}
