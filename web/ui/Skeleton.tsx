import styles from './Skeleton.module.css';

/** A grey bar in place of text that is loading. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string | number; height?: string | number }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}
