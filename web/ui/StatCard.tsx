import { createContext, type ReactNode, useContext } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from './icons.tsx';
import { Skeleton } from './Skeleton.tsx';
import styles from './StatCard.module.css';

const StatFailedContext = createContext(false);

/** Four figures in a row, or two by two on phones. `isFailed` shows a dash instead of a skeleton for unknown values. */
export function StatRow({ isFailed, children }: { isFailed: boolean; children: ReactNode }) {
  return (
    <StatFailedContext value={isFailed}>
      <dl className={styles.row}>{children}</dl>
    </StatFailedContext>
  );
}

/** One figure with its label. Shows a skeleton while `value` is undefined. */
export function StatCard({
  label,
  value,
  icon,
  to,
}: {
  label: string;
  value: string | number | undefined;
  icon: IconName;
  /** The route of its details. */
  to?: string;
}) {
  const isFailed = useContext(StatFailedContext);
  return (
    <div className={styles.card}>
      <dt className={styles.label}>
        {to === undefined ? label : <Link to={to}>{label}</Link>}
        <span className={styles.icon}>
          <Icon name={icon} size={18} />
        </span>
      </dt>
      <dd className={styles.value}>{value ?? (isFailed ? '–' : <Skeleton width="60%" />)}</dd>
    </div>
  );
}
