import styles from './Avatar.module.css';
import { initialOf } from './format.ts';

/** The initial of a name. Hidden from screen readers because the name is beside it. */
export function Avatar({ name, size = 40 }: { name: string; size?: number }) {
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden="true">
      {initialOf(name)}
    </span>
  );
}
