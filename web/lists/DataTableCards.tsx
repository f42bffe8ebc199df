import { Link } from 'react-router';
import type { CardSlot, Column, DataTableProps } from './columns.ts';
import styles from './DataTable.module.css';

type LoadedTableProps<Row> = DataTableProps<Row> & { rows: readonly Row[] };

export function DataTableCards<Row>(props: LoadedTableProps<Row>) {
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

function Card<Row>({ columns, detailsTo, links, row }: LoadedTableProps<Row> & { row: Row }) {
  const at = (place: CardSlot): readonly Column<Row>[] => columns.filter((one) => (one.cardSlot ?? 'fact') === place);
  const show = (place: CardSlot, looks?: string) =>
    at(place).map((one) => (
      <span key={one.header} className={looks}>
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
            <div key={one.header}>
              <span>{one.header} </span>
              {one.cell(row)}
            </div>
          ))}
        </div>
        <div className={styles.money}>{show('money')}</div>
      </div>
      <CardDetails columns={at('fact')} row={row} />
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

function CardDetails<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  if (columns.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {columns.map((one) => (
        <div key={one.header}>
          <dt>{one.header}</dt>
          <dd>{one.cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}
