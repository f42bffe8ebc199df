import type { ReactNode } from 'react';
import styles from './Fold.module.css';
import { Icon } from './icons.tsx';

type FoldProps = {
  readonly title: string;
  /** Shown at the right of the title, also while the fold is closed. */
  readonly aside?: ReactNode;
  /** Folds with the same group open one at a time. */
  readonly group?: string;
  /** 'card' has a frame of its own; 'row' is a part of the card around it. */
  readonly looks?: 'card' | 'row';
  /** Whether it is open, where the page decides that together with `onToggle`. */
  readonly isOpen?: boolean;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ReactNode;
};

/** A part of a page that opens on demand, also without a script. */
export function Fold({ title, aside, group, looks = 'card', isOpen, onToggle, children }: FoldProps) {
  return (
    <details
      className={`${styles.fold} ${styles[looks]}`}
      name={group}
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary>
        <span className={styles.title}>{title}</span>
        {aside && <span className={styles.aside}>{aside}</span>}
        <Icon name="down" />
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
