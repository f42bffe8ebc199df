import type { ReactNode } from 'react';
import styles from './DescriptionList.module.css';

type DescriptionListProps = { readonly isColumn?: boolean; readonly children: ReactNode };

/** Names with their values. Two columns on a desktop and one on a phone, or one column everywhere. */
export function DescriptionList({ isColumn = false, children }: DescriptionListProps) {
  return <dl className={isColumn ? styles.list : `${styles.list} ${styles.columns}`}>{children}</dl>;
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
