import { usePause } from '../api/config.ts';
import { formatDate } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './PauseNotice.module.css';

/** While no new orders are taken: what the people who run the town say about it. */
export function PauseNotice() {
  const pause = usePause();
  if (!pause) return null;
  return (
    <div className={styles.notice} role="status">
      <Icon name="info" />
      <div>
        <p className={styles.words}>{pause.words}</p>
        <p className="quiet">No new orders until {formatDate(pause.until)}. Orders that are under way continue.</p>
      </div>
    </div>
  );
}
