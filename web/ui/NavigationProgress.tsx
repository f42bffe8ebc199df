import { useNavigation } from 'react-router';
import styles from './NavigationProgress.module.css';

/** A progress bar at the top while the code of the next screen loads. CSS delays it so that fast loads do not flash. */
export function NavigationProgress() {
  if (useNavigation().state === 'idle') return null;
  return <div className={styles.line} role="progressbar" aria-label="Loading the page" />;
}
