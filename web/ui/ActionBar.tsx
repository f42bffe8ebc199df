import { type ReactNode, useRef } from 'react';
import { useFocusMainOnUnmount } from '../hooks/focusMain.ts';
import styles from './ActionBar.module.css';

/**
 * The next step of an order or a delivery, at the bottom of the screen on phones. `children` are the primary buttons and
 * `hint` explains them. `secondary` holds destructive actions, away from the primary ones.
 */
export function ActionBar({
  hint,
  secondary,
  place = 'page',
  children,
}: {
  hint?: ReactNode;
  secondary?: ReactNode;
  /** In a card it stays where it is on phones, too. */
  place?: 'page' | 'card';
  children?: ReactNode;
}) {
  const bar = useRef<HTMLElement>(null);
  useFocusMainOnUnmount(bar);
  return (
    <section
      ref={bar}
      className={`${styles.bar} ${place === 'page' ? styles.onPage : ''}`}
      aria-label="Next step"
      data-bottom-bar={place === 'page' || undefined}
    >
      {hint && <p className={styles.hint}>{hint}</p>}
      {children && <div className={styles.main}>{children}</div>}
      {secondary && <div className={styles.secondary}>{secondary}</div>}
    </section>
  );
}
