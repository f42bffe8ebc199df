import type { ReactNode } from 'react';
import styles from './ListToolbar.module.css';

/** What a list is narrowed and sorted by, above it. */
export function ListToolbar({ children }: { children: ReactNode }) {
  return <div className={styles.tools}>{children}</div>;
}

/** The list itself, paler while it still shows the answer to an earlier question. */
export function ListBody({ isStale, children }: { isStale: boolean; children: ReactNode }) {
  return (
    <div className={isStale ? styles.stale : undefined} aria-busy={isStale}>
      {children}
    </div>
  );
}
