import { useNavigation } from 'react-router';
import styles from './NavigationProgress.module.css';

/** A line along the top while the next screen's code is on its way; a quick one is there before it is seen. */
export function NavigationProgress() {
  if (useNavigation().state === 'idle') return null;
  return <div className={styles.line} role="progressbar" aria-label="Loading the page" />;
}
