import { type ReactNode, useId } from 'react';
import styles from './Choice.module.css';

type ChoiceProps = {
  readonly type: 'radio' | 'checkbox';
  /** Shared by the radios of one question. */
  readonly group?: string;
  /** The accessible name; the rest of the card is its description. */
  readonly name: ReactNode;
  readonly checked: boolean;
  readonly onChoose: () => void;
  /** A drawing before the name. */
  readonly picture?: ReactNode;
  /** Shown to the right of the name. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
};

/** A radio or a checkbox as a card that can be clicked anywhere. */
export function Choice({ type, group, name, checked, onChoose, picture, aside, children }: ChoiceProps) {
  const id = useId();
  const isDescribed = aside !== undefined || children !== undefined;
  return (
    <label className={`${styles.choice} ${picture ? styles.pictured : ''} ${checked ? styles.chosen : ''}`}>
      <input
        type={type}
        className={`${type} ${styles.mark}`}
        name={group}
        checked={checked}
        onChange={onChoose}
        aria-labelledby={`${id}-name`}
        aria-describedby={isDescribed ? `${id}-more` : undefined}
      />
      {picture && <span className={styles.picture}>{picture}</span>}
      <span className={styles.name} id={`${id}-name`}>
        {name}
      </span>
      {isDescribed && (
        <span className={styles.more} id={`${id}-more`}>
          {aside !== undefined && <span className={styles.aside}>{aside}</span>}
          {children}
        </span>
      )}
    </label>
  );
}

/** The choices of one question. With `hasColumns` they stand beside each other where there is room. */
export function ChoiceGroup({
  legend,
  hasColumns = false,
  children,
}: {
  legend: string;
  hasColumns?: boolean;
  children: ReactNode;
}) {
  return (
    <fieldset className={hasColumns ? `${styles.choices} ${styles.columns}` : styles.choices}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  );
}

type RadioGroupProps<Value extends string> = {
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly name: string; readonly more?: ReactNode }[];
  readonly value: Value | '';
  readonly onChange: (value: Value) => void;
};

/** A question with one answer, each answer as a card. */
export function RadioGroup<Value extends string>({ legend, options, value, onChange }: RadioGroupProps<Value>) {
  const group = useId();
  return (
    <ChoiceGroup legend={legend} hasColumns={options.every(({ more }) => more === undefined)}>
      {options.map((option) => (
        <Choice
          key={option.value}
          type="radio"
          group={group}
          name={option.name}
          checked={value === option.value}
          onChoose={() => onChange(option.value)}
        >
          {option.more}
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
