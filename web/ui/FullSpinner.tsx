import styles from './FullSpinner.module.css';

/** Fills the window while the session is checked. Does not use Mantine, to keep the first load small. */
export function FullSpinner() {
  return (
    <div role="status" aria-label="Loading" className={styles.full}>
      <span className={styles.spin} />
    </div>
  );
}
