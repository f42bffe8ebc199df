import type { ReactNode } from 'react';
import styles from './Banner.module.css';
import { Icon } from './icons.tsx';

/** One line about the device, above the content of a page. */
export function Banner({ children }: { children: ReactNode }) {
  return (
    <p className={styles.banner}>
      <Icon name="info" />
      <span>{children}</span>
    </p>
  );
}
