import { Icon } from './icons.tsx';
import styles from './Stepper.module.css';

/** The steps of a wizard. `current` counts from 1. On phones only the current step shows its name. */
export function Stepper({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map((name, index) => {
        const number = index + 1;
        const state = number === current ? styles.current : number < current ? styles.done : '';
        return (
          <li key={name} className={`${styles.step} ${state}`} aria-current={number === current ? 'step' : undefined}>
            <span className={styles.number} aria-hidden="true">
              {number < current ? <Icon name="check" size={14} strokeWidth={2.5} /> : number}
            </span>
            <span className={styles.name}>{name}</span>
          </li>
        );
      })}
    </ol>
  );
}
