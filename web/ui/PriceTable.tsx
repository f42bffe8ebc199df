import { formatMoney } from './format.ts';
import styles from './PriceTable.module.css';

export type PriceLine = { readonly label: string; readonly amount: number };

/** A price breakdown in dollars with its total. */
export function PriceTable({ lines, total }: { lines: readonly PriceLine[]; total: PriceLine }) {
  return (
    <dl className={styles.table}>
      {lines.map((line) => (
        <div key={line.label} className={styles.row}>
          <dt>{line.label}</dt>
          <dd>{formatMoney(line.amount)}</dd>
        </div>
      ))}
      <div className={`${styles.row} ${styles.total}`}>
        <dt>{total.label}</dt>
        <dd>{formatMoney(total.amount)}</dd>
      </div>
    </dl>
  );
}
