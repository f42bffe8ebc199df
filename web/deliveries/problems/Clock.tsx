import styles from './Clock.module.css';
import { formatClock } from './problemSteps.ts';

/** A time that runs down. Screen readers say it when they come to it, and not each second. */
export function Clock({ ms }: { ms: number }) {
  return (
    <strong className={styles.clock} role="timer" aria-live="off">
      {formatClock(ms)}
    </strong>
  );
}
