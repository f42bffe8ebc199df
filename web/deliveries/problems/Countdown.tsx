import { formatCountdown } from '../problemSteps.ts';
import styles from './Countdown.module.css';

/** A time that runs down. Screen readers say it when they come to it, and not each second. */
export function Countdown({ ms }: { ms: number }) {
  return (
    <strong className={styles.countdown} role="timer" aria-live="off">
      {formatCountdown(ms)}
    </strong>
  );
}
