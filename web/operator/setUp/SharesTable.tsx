import { type OrderShares, sharesOfOrder } from '../../../domain/orderShares.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { soldSizes, type Tariff, toDollars } from '../../../domain/payments.ts';
import { useIsCompact } from '../../hooks/breakpoints.ts';
import { Fold } from '../../ui/Fold.tsx';
import { formatMoney } from '../../ui/format.ts';
import { cardFeeOf, type Draft, tariffOf } from './draft.ts';
import styles from './SetUp.module.css';

const COLUMNS = {
  bud: 'The Bud pays',
  scrub: 'Scrub',
  dubers: 'Dubers',
  taxes: 'Taxes',
  platformFee: 'Platform fee',
  cardFee: 'Card fee',
  town: 'Left for the town',
} as const satisfies Record<keyof OrderShares, string>;
const SHARES = Object.keys(COLUMNS) as (keyof OrderShares)[];

type Row = { readonly size: OrderSize; readonly shares: OrderShares };

/** Who gets what of an order of each size, as it is typed. */
export function SharesTable({ draft, rounding }: { draft: Draft; rounding: Tariff['taxRounding'] }) {
  const isCompact = useIsCompact();
  const tariff = tariffOf(draft, rounding);
  const cardFee = cardFeeOf(draft);
  if (!tariff || !cardFee) return <p className="quiet">Enter all amounts to see who gets what.</p>;
  const rows = soldSizes(tariff).map((size) => ({ size, shares: sharesOfOrder(size, tariff, cardFee) }));
  const paid = rows.filter(({ shares }) => shares.town < 0);
  return (
    <>
      {isCompact ? <Folds rows={rows} /> : <Table rows={rows} />}
      {paid.length > 0 && (
        <p className={styles.notice} role="status">
          The town pays for each {paid.map(({ size }) => size).join(', ')} order: the card fee is higher than the
          platform fee. A higher platform fee changes that.
        </p>
      )}
    </>
  );
}

const amountOf = ({ shares }: Row, share: keyof OrderShares) => formatMoney(toDollars(shares[share]));
const classOf = ({ shares }: Row, share: keyof OrderShares) =>
  share === 'town' ? (shares.town < 0 ? styles.loss : styles.left) : undefined;

function Table({ rows }: { rows: readonly Row[] }) {
  return (
    <table className={styles.shares}>
      <caption>Of an order with both deliveries</caption>
      <thead>
        <tr>
          <th scope="col">Size</th>
          {SHARES.map((share) => (
            <th key={share} scope="col">
              {COLUMNS[share]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.size}>
            <th scope="row">{row.size}</th>
            {SHARES.map((share) => (
              <td key={share} className={classOf(row, share)}>
                {amountOf(row, share)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Folds({ rows }: { rows: readonly Row[] }) {
  return (
    <div className={styles.folds}>
      <p className="quiet">Of an order with both deliveries: what the Bud pays, and what is left for the town</p>
      {rows.map((row) => (
        <Fold
          key={row.size}
          looks="row"
          title={row.size}
          aside={
            <>
              {amountOf(row, 'bud')} → <span className={classOf(row, 'town')}>{amountOf(row, 'town')}</span>
            </>
          }
        >
          <dl>
            {SHARES.map((share) => (
              <div key={share}>
                <dt>{COLUMNS[share]}</dt>
                <dd className={classOf(row, share)}>{amountOf(row, share)}</dd>
              </div>
            ))}
          </dl>
        </Fold>
      ))}
    </div>
  );
}
