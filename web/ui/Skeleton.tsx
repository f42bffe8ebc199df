import styles from './Skeleton.module.css';

/** A grey bar where text will be. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string | number; height?: string | number }) {
  return <span className={styles.bone} style={{ width, height }} aria-hidden="true" />;
}
