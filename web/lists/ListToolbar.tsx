import type { ReactNode } from 'react';
import styles from './ListToolbar.module.css';

/** The filters and the sort order above a list. */
export function ListToolbar({ children }: { children: ReactNode }) {
  return <div className={styles.tools}>{children}</div>;
}

/** The list, faded while it still shows the results of the previous query. */
export function ListBody({ isStale, children }: { isStale: boolean; children: ReactNode }) {
  return (
    <div className={isStale ? styles.stale : undefined} aria-busy={isStale}>
      {children}
    </div>
  );
}
