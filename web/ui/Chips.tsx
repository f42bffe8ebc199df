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
      <div className={scrolls ? `${styles.row} ${styles.scrolls}` : styles.row} data-scrolls={scrolls || undefined}>
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

type ChecksProps = {
  readonly legend: string;
  readonly options: readonly { readonly value: string; readonly name: string; readonly label?: string }[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
};

/** The same with any number of answers. `label` is what is read aloud instead of a short name. */
export function ChipChecks({ legend, options, values, onChange }: ChecksProps) {
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  return (
    <fieldset className={styles.chips}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.row}>
        {options.map(({ value, name, label }) => (
          <label key={value} className={styles.chip}>
            <input type="checkbox" aria-label={label} checked={values.includes(value)} onChange={() => toggle(value)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
