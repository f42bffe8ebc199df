import { useConfig } from '../api/config.ts';
import { currentTime } from '../clock.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './DueLine.module.css';
import { type Due, dueText } from './windows.ts';

/** When the Duber of a delivery comes, and until when a return is back. Undefined for as soon as possible. */
export function useDueText(delivery: Due): string | undefined {
  const { timeZone = 'UTC' } = useConfig() ?? {};
  return dueText(delivery, timeZone, currentTime());
}

/** The same as a line with a clock. */
export function DueLine({ delivery }: { delivery: Due }) {
  const text = useDueText(delivery);
  return (
    text && (
      <p className={styles.due}>
        <Icon name="clock" size={18} />
        {text}
      </p>
    )
  );
}
