import { currentTime } from '../../clock.ts';
import { formatDate } from '../../ui/format.ts';
import { dueOf } from './board.ts';
import styles from './JobDue.module.css';

/** Until when the Scrub's next step is expected. */
export function JobDue({ job, className = '' }: { job: Parameters<typeof dueOf>[0]; className?: string | undefined }) {
  const due = dueOf(job);
  if (!due) return null;
  const isLate = due.at < currentTime();
  return (
    <p className={`${isLate ? styles.late : 'quiet'} ${className}`}>
      {isLate ? 'Late since' : due.label}{' '}
      <time dateTime={due.at.toISOString()}>{formatDate(due.at.toISOString())}</time>
    </p>
  );
}
