import type { ReactNode } from 'react';
import { Bone } from './Bone.tsx';
import { Icon, type IconName } from './icons.tsx';
import styles from './StatCard.module.css';

/** Four figures in a row, two by two on phones. */
export function StatRow({ children }: { children: ReactNode }) {
  return <dl className={styles.row}>{children}</dl>;
}

/** One figure with its name; a bone stands in while `value` is undefined. */
export function StatCard({
  label,
  value,
  icon,
}: {
  label: string;
  value: string | number | undefined;
  icon: IconName;
}) {
  return (
    <div className={styles.card}>
      <dt className={styles.label}>
        {label}
        <span className={styles.icon}>
          <Icon name={icon} size={18} />
        </span>
      </dt>
      <dd className={styles.value}>{value === undefined ? <Bone width="60%" /> : value}</dd>
    </div>
  );
}
