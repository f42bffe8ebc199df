import { useId } from 'react';
import type { Role } from '../../domain/accounts.ts';
import { ROLE_DESCRIPTIONS, type RoleDescription, RoleDrawing } from '../pages/roles.tsx';
import styles from './RoleCards.module.css';

/** The three roles as radios; none is preselected. */
export function RoleCards({
  value,
  onChange,
  error,
}: {
  value: Role | '';
  onChange: (role: Role) => void;
  error?: string | undefined;
}) {
  const errorId = useId();
  return (
    <fieldset className={styles.cards} aria-describedby={error ? errorId : undefined}>
      <legend>What brings you here?</legend>
      {ROLE_DESCRIPTIONS.map((words) => (
        <RoleCard key={words.role} words={words} isChosen={value === words.role} onChoose={onChange} />
      ))}
      {error && (
        <p id={errorId} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function RoleCard({
  words,
  isChosen,
  onChoose,
}: {
  words: RoleDescription;
  isChosen: boolean;
  onChoose: (role: Role) => void;
}) {
  const id = useId();
  return (
    <label className={styles.card}>
      <input
        className="radio"
        type="radio"
        name="role"
        value={words.role}
        checked={isChosen}
        onChange={() => onChoose(words.role)}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-what`}
      />
      <span>
        <span className={styles.name} id={`${id}-name`}>
          {words.role}
        </span>
        <br />
        <span className={styles.what} id={`${id}-what`}>
          {words.description}
        </span>
      </span>
      <RoleDrawing role={words.role} className={styles.drawing} />
    </label>
  );
}
