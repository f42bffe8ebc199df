import type { ReactNode } from 'react';
import styles from './SectionHeader.module.css';

/** The title of a section, with actions as `children`. */
export function SectionHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
