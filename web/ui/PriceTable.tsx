import { formatMoney } from './formatMoney.ts';
import styles from './PriceTable.module.css';

/** While its amount is unknown, an empty bar keeps the place. */
export type PriceLine = { readonly label: string; readonly amount: number | undefined };

/** A price breakdown in dollars with its total. */
export function PriceTable({ lines, total }: { lines: readonly PriceLine[]; total: PriceLine }) {
  return (
    <dl className={styles.table}>
      {lines.map((line) => (
        <div key={line.label} className={styles.row}>
          <dt>{line.label}</dt>
          <dd>
            <Amount dollars={line.amount} />
          </dd>
        </div>
      ))}
      <div className={`${styles.row} ${styles.total}`}>
        <dt>{total.label}</dt>
        <dd>
          <Amount dollars={total.amount} />
        </dd>
      </div>
    </dl>
  );
}

const Amount = ({ dollars }: { dollars: number | undefined }) =>
  dollars === undefined ? <span className={styles.unknown} /> : <span>{formatMoney(dollars)}</span>;
