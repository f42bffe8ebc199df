import type { Earnings } from '../../contract/earnings.ts';
import { formatDay, formatMoney } from '../ui/format.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './WeekChart.module.css';

/** One bar per week, newest on the right. Each bar has its week and amount as text, so it reads without the graphic. */
export function WeekChart({ weeks }: { weeks: Earnings['weeks'] | undefined }) {
  if (!weeks) return <Skeleton height={180} />;
  const highest = Math.max(...weeks.map((week) => week.earned), 0);
  if (highest === 0) return <p className={styles.none}>You earned nothing in the last {weeks.length} weeks.</p>;
  return (
    <div className={styles.frame}>
      <p className={styles.most}>{formatMoney(highest)}</p>
      <ol className={styles.bars} aria-label="Earnings by week">
        {weeks.map(({ from, earned }) => {
          const words = `Week of ${formatDay(from)}: ${formatMoney(earned)}`;
          return (
            <li key={from} className={styles.week} title={words}>
              <span className={styles.bar} style={{ height: `${Math.max(0, (earned / highest) * 100)}%` }} />
              <span className={styles.words}>{words}</span>
            </li>
          );
        })}
      </ol>
      <p className={styles.ends} aria-hidden="true">
        <span>{formatDay(weeks[0]?.from ?? '')}</span>
        <span>{formatDay(weeks.at(-1)?.from ?? '')}</span>
      </p>
    </div>
  );
}
