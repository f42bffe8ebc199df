import type { ReactNode } from 'react';
import styles from './ActionBar.module.css';

/**
 * The next step of an order or a delivery, at the thumb on phones.
 * `children` are its large buttons, `hint` says what they will do, `aside` holds what is hard to undo, away from them.
 */
export function ActionBar({ hint, aside, children }: { hint?: ReactNode; aside?: ReactNode; children?: ReactNode }) {
  return (
    <section className={styles.bar} aria-label="Next step">
      {hint && <p className={styles.hint}>{hint}</p>}
      {children && <div className={styles.main}>{children}</div>}
      {aside && <div className={styles.aside}>{aside}</div>}
    </section>
  );
}
