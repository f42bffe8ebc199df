import { Icon } from '../../ui/icons.tsx';
import { STEP_NAMES, type StepNumber } from './orderDraft.ts';
import styles from './WizardSteps.module.css';

/** The steps and the current one; on phones the numbers and the current step's name. */
export function WizardSteps({ step }: { step: StepNumber }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {STEP_NAMES.map((name, index) => {
        const number = index + 1;
        const looks = number < step ? styles.past : number === step ? styles.now : '';
        return (
          <li key={name} className={`${styles.step} ${looks}`} aria-current={number === step ? 'step' : undefined}>
            <span className={styles.number} aria-hidden="true">
              {number < step ? <Icon name="check" size={16} strokeWidth={2.5} /> : number}
            </span>
            <span className={styles.name}>{name}</span>
            {number < step && <span className="sr-only"> (done)</span>}
          </li>
        );
      })}
    </ol>
  );
}
