import type { ReactNode } from 'react';
import styles from './DescriptionList.module.css';

type DescriptionListProps = { readonly isColumn?: boolean; readonly children: ReactNode };

/** Names and what they are, side by side on a desktop and below each other on a phone, or in one column everywhere. */
export function DescriptionList({ isColumn = false, children }: DescriptionListProps) {
  return <dl className={isColumn ? styles.facts : `${styles.facts} ${styles.spread}`}>{children}</dl>;
}

export function DescriptionItem({
  name,
  isWide = false,
  children,
}: {
  name: string;
  isWide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={isWide ? styles.wide : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
