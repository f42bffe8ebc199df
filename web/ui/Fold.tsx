import type { ReactNode } from 'react';
import styles from './Fold.module.css';
import { Icon } from './icons.tsx';

/** Cards that open on demand. Without `isFolded` they simply follow each other. */
export function Fold({ title, isFolded, children }: { title: string; isFolded: boolean; children: ReactNode }) {
  if (!isFolded) return children;
  return (
    <details className={styles.fold}>
      <summary className={styles.title}>
        {title}
        <Icon name="down" size={18} />
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
