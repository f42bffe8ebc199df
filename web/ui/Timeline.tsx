import { formatDate, labelOf } from './format.ts';
import { Icon } from './icons.tsx';
import { statusGroupOf } from './StatusBadge.tsx';
import styles from './Timeline.module.css';

export type TimelineStep = {
  readonly status: string;
  readonly createdAt: string;
  /** When it was taken, where it could only be sent later. */
  readonly takenAt?: string | null;
};

/** What has happened, oldest first, and quietly what comes next. `next` are the statuses still ahead. */
export function Timeline({
  steps,
  next = [],
  label = 'Status history',
}: {
  steps: readonly TimelineStep[];
  next?: readonly string[];
  label?: string;
}) {
  return (
    <ol className={styles.list} aria-label={label}>
      {steps.map((step, index) => (
        <PastStep key={`${step.status}${step.createdAt}`} step={step} isLatest={index === steps.length - 1} />
      ))}
      {next.map((status) => (
        <li key={status} className={`${styles.step} ${styles.next}`}>
          <span className={styles.dot} />
          <span className={styles.word}>
            {labelOf(status)}
            <span className="sr-only"> (still to come)</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function PastStep({ step, isLatest }: { step: TimelineStep; isLatest: boolean }) {
  const group = statusGroupOf(step.status);
  const isFinal = group === 'completed' || group === 'cancelled';
  const looks = isLatest ? [styles.now, styles[group], isFinal ? styles.final : ''] : [styles.past];
  return (
    <li className={[styles.step, ...looks].join(' ')} aria-current={isLatest ? 'step' : undefined}>
      <span className={styles.dot}>
        {(isFinal || !isLatest) && <Icon name={group === 'cancelled' ? 'cross' : 'check'} size={12} strokeWidth={3} />}
      </span>
      <span className={styles.word}>{labelOf(step.status)}</span>
      <time className={styles.time} dateTime={step.createdAt}>
        {formatDate(step.createdAt)}
      </time>
      {step.takenAt && (
        <span className={styles.time}>
          Taken at <time dateTime={step.takenAt}>{formatDate(step.takenAt)}</time>, without a network
        </span>
      )}
    </li>
  );
}
