import type { ReactNode } from 'react';
import type { StatusGroup } from '../../domain/orders.ts';
import styles from './Badge.module.css';

type BadgeProps = {
  readonly color: StatusGroup | 'other' | 'sun' | 'brand';
  readonly icon?: ReactNode;
  readonly status?: string;
  readonly children: ReactNode;
};

/** One word, or a few, on a ground of their colour. */
export function Badge({ color, icon, status, children }: BadgeProps) {
  return (
    <span className={`${styles.badge} ${icon ? styles.withIcon : ''} ${styles[color]}`} data-status={status}>
      {icon}
      {children}
    </span>
  );
}
