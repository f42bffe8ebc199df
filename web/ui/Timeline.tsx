import { formatDate, labelOf } from './format.ts';
import { Icon } from './icons.tsx';
import { statusGroupOf } from './StatusBadge.tsx';
import styles from './Timeline.module.css';

export type TimelineStep = {
  readonly status: string;
  readonly createdAt: string;
  /** When the step was taken, if it was taken offline and sent later. */
  readonly takenAt?: string | null;
  /** What happened, if the status alone does not say it. */
  readonly label?: string;
  /** Why it happened. */
  readonly note?: string | undefined;
};

/** The steps taken so far, oldest first, followed by the statuses still to come (`next`). */
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
        <PastStep
          key={`${step.status}${step.label ?? ''}${step.createdAt}`}
          step={step}
          isLatest={index === steps.length - 1}
        />
      ))}
      {next.map((status) => (
        <li key={status} className={`${styles.step} ${styles.next}`}>
          <span className={styles.dot} />
          <span className={styles.label}>
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
  // A delivery that failed, or was brought back, rests, but may go on.
  const isFinal = group !== 'pending' && group !== 'progress';
  const classNames = isLatest ? [styles.latest, styles[group], isFinal ? styles.final : ''] : [styles.past];
  return (
    <li className={[styles.step, ...classNames].join(' ')} aria-current={isLatest ? 'step' : undefined}>
      <span className={styles.dot}>
        {(isFinal || !isLatest) && <Icon name={group === 'cancelled' ? 'cross' : 'check'} size={12} strokeWidth={3} />}
      </span>
      <span className={styles.label}>{step.label ?? labelOf(step.status)}</span>
      {step.note && <span className={styles.time}>{step.note}</span>}
      <time className={styles.time} dateTime={step.createdAt}>
        {formatDate(step.createdAt)}
      </time>
      {step.takenAt && (
        <span className={styles.time}>
          Done at <time dateTime={step.takenAt}>{formatDate(step.takenAt)}</time>, while offline
        </span>
      )}
    </li>
  );
}
