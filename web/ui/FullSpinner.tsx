import styles from './FullSpinner.module.css';

/** Fills the window while the session is checked; without Mantine, because it is on the way of every first visit. */
export function FullSpinner() {
  return (
    <div role="status" aria-label="Loading" className={styles.full}>
      <span className={styles.spin} />
    </div>
  );
}
