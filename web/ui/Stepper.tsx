import { Icon } from './icons.tsx';
import styles from './Stepper.module.css';

type StepperProps = {
  readonly steps: readonly string[];
  /** Counts from 1. */
  readonly current: number;
  /** Goes back to a step that is done. */
  readonly onBack: (step: number) => void;
};

/** The steps of a wizard. A step that is done is a button back to it. On phones only the current step shows its name. */
export function Stepper({ steps, current, onBack }: StepperProps) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map((name, index) => {
        const number = index + 1;
        if (number < current) return <DoneStep key={name} name={name} onBack={() => onBack(number)} />;
        const isCurrent = number === current;
        return (
          <li
            key={name}
            className={isCurrent ? `${styles.step} ${styles.now}` : styles.step}
            aria-current={isCurrent ? 'step' : undefined}
          >
            <span className={styles.number} aria-hidden="true">
              {number}
            </span>
            <span className={styles.name}>{name}</span>
          </li>
        );
      })}
    </ol>
  );
}

function DoneStep({ name, onBack }: { name: string; onBack: () => void }) {
  return (
    <li className={`${styles.step} ${styles.done}`}>
      <button type="button" className={styles.back} title={`Back to ${name}`} onClick={onBack}>
        <span className={styles.number}>
          <Icon name="check" size={16} strokeWidth={2.5} />
        </span>
        <span className={styles.name}>{name}</span>
        <span className="sr-only"> (done)</span>
      </button>
    </li>
  );
}
