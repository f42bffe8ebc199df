import { describeCorners, isCorners } from './cornerTexts.ts';
import styles from './Details.module.css';

/** Labels that differ from the names in the API. */
const NAMES: Readonly<Record<string, string>> = {
  caps: 'Rights',
  askedBy: 'Asked for by',
  secondYes: 'Approved because',
};

/** 'refundLimitOrder' becomes 'Refund limit order'. */
const wordsOf = (name: string) => {
  const own = NAMES[name];
  if (own !== undefined) return own;
  const words = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (isCorners(value)) return describeCorners(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '–';
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${wordsOf(name)}: ${textOf(inner)}`)
      .join(', ');
  return String(value);
}

/** The request of an act, and what it changed. */
export function Details({ details }: { details: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(details);
  if (entries.length === 0) return null;
  return (
    <dl className={styles.details}>
      {entries.map(([name, value]) => (
        <div key={name} className={styles.row}>
          <dt>{wordsOf(name)}</dt>
          <dd>{textOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
