import { Link } from 'react-router';
import type { CardPlace, Column, DataTableProps } from './columns.ts';
import styles from './DataTable.module.css';

type Full<Row> = DataTableProps<Row> & { rows: readonly Row[] };

export function CardList<Row>(props: Full<Row>) {
  return (
    <ul className={styles.cards} aria-label={props.label}>
      {props.rows.map((row) => (
        <li key={props.rowKey(row)} className={styles.card}>
          <Card {...props} row={row} />
        </li>
      ))}
    </ul>
  );
}

function Card<Row>({ columns, detailsTo, links, row }: Full<Row> & { row: Row }) {
  const at = (place: CardPlace): readonly Column<Row>[] => columns.filter((one) => (one.card ?? 'fact') === place);
  const show = (place: CardPlace, looks?: string) =>
    at(place).map((one) => (
      <span key={one.head} className={looks}>
        {one.cell(row)}
      </span>
    ));
  return (
    <>
      <div className={styles.top}>
        {show('status')}
        {show('date', styles.date)}
      </div>
      <div className={styles.middle}>
        <div className={styles.title}>
          {at('title').map((one) => (
            <div key={one.head}>
              <span>{one.head} </span>
              {one.cell(row)}
            </div>
          ))}
        </div>
        <div className={styles.money}>{show('money')}</div>
      </div>
      <Facts columns={at('fact')} row={row} />
      <div className={styles.bottom}>
        {detailsTo && (
          <Link className={`${styles.link} ${styles.whole}`} to={detailsTo(row)}>
            View Details
          </Link>
        )}
        {links?.(row).map((link) => (
          <Link key={link.to} className={`${styles.link} ${styles.other}`} to={link.to}>
            {link.label}
          </Link>
        ))}
      </div>
    </>
  );
}

function Facts<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  if (columns.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {columns.map((one) => (
        <div key={one.head}>
          <dt>{one.head}</dt>
          <dd>{one.cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}
