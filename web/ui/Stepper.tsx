import { Icon } from './icons.tsx';
import styles from './Stepper.module.css';

/** The names of a wizard's steps; `now` counts from 1. On phones the others are numbers only. */
export function Stepper({ steps: names, current: now }: { steps: readonly string[]; current: number }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {names.map((name, index) => {
        const number = index + 1;
        const looks = number === now ? styles.now : number < now ? styles.done : '';
        return (
          <li key={name} className={`${styles.step} ${looks}`} aria-current={number === now ? 'step' : undefined}>
            <span className={styles.number} aria-hidden="true">
              {number < now ? <Icon name="check" size={14} strokeWidth={2.5} /> : number}
            </span>
            <span className={styles.name}>{name}</span>
          </li>
        );
      })}
    </ol>
  );
}
