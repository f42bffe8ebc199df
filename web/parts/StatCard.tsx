import type { ReactNode } from 'react';
import { Link } from 'react-router';
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
  to,
}: {
  label: string;
  value: string | number | undefined;
  icon: IconName;
  /** Where its details are. */
  to?: string;
}) {
  return (
    <div className={styles.card}>
      <dt className={styles.label}>
        {to === undefined ? label : <Link to={to}>{label}</Link>}
        <span className={styles.icon}>
          <Icon name={icon} size={18} />
        </span>
      </dt>
      <dd className={styles.value}>{value === undefined ? <Bone width="60%" /> : value}</dd>
    </div>
  );
}
