import { Link } from 'react-router';
import styles from './DataTable.module.css';
import type { CardPlace, Column, DataTableProps } from './table.ts';

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
  const facts = at('fact');
  return (
    <>
      <div className={styles.top}>
        {at('status').map((one) => (
          <span key={one.head}>{one.cell(row)}</span>
        ))}
        {at('date').map((one) => (
          <span key={one.head} className={styles.date}>
            {one.cell(row)}
          </span>
        ))}
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
        <div className={styles.money}>
          {at('money').map((one) => (
            <span key={one.head}>{one.cell(row)}</span>
          ))}
        </div>
      </div>
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map((one) => (
            <div key={one.head}>
              <dt>{one.head}</dt>
              <dd>{one.cell(row)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.bottom}>
        {detailsTo && (
          <Link className={`${styles.link} ${styles.whole}`} to={detailsTo(row)}>
            View Details
          </Link>
        )}
        {links?.(row).map((link) => (
          <Link key={link.to} className={`${styles.link} other ${styles.other ?? ''}`} to={link.to}>
            {link.label}
          </Link>
        ))}
      </div>
    </>
  );
}
