import { createContext, type ReactNode, useContext } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from './icons.tsx';
import { Skeleton } from './Skeleton.tsx';
import styles from './StatCard.module.css';

const StatFailedContext = createContext(false);

/** Four figures in a row, two by two on phones. Those that are not known are on their way, unless that has failed. */
export function StatRow({ isFailed, children }: { isFailed: boolean; children: ReactNode }) {
  return (
    <StatFailedContext value={isFailed}>
      <dl className={styles.row}>{children}</dl>
    </StatFailedContext>
  );
}

/** One figure with its name; a bone stands in while `value` is undefined, a dash when it will not come. */
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
