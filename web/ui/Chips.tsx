import { type ReactNode, useId } from 'react';
import styles from './Chips.module.css';

type ChipsProps = {
  readonly legend: string;
  readonly options: readonly { readonly value: string; readonly name: string; readonly more?: ReactNode }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** One row that scrolls, for many options. */
  readonly scrolls?: boolean;
};

const bringIntoView = (chip: HTMLElement | null) => chip?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** A question whose answers are short and stand beside each other: radios, one of which is always chosen. */
export function Chips({ legend, options, value, onChange, scrolls = false }: ChipsProps) {
  const group = useId();
  return (
    <fieldset className={styles.chips}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={scrolls ? `${styles.row} ${styles.scrolls}` : styles.row}>
        {options.map((option) => (
          <label key={option.value} className={styles.chip} ref={option.value === value ? bringIntoView : undefined}>
            <input type="radio" name={group} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span>{option.name}</span>
            {option.more && <span className={styles.more}>{option.more}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
