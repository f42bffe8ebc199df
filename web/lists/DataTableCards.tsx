import { Link } from 'react-router';
import { type CardSlot, type Column, type DataTableProps, hasDetails } from './columns.ts';
import styles from './DataTable.module.css';

type LoadedTableProps<Row> = DataTableProps<Row> & { rows: readonly Row[] };

export function DataTableCards<Row>(props: LoadedTableProps<Row>) {
  return (
    <ul className={styles.cards} aria-label={props.label}>
      {props.rows.map((row) => (
        <li key={props.rowKey(row)} className={styles.card} data-row={hasDetails(props)}>
          {props.card ? props.card(row, <DetailsLink {...props} row={row} />) : <Card {...props} row={row} />}
        </li>
      ))}
    </ul>
  );
}

type CardProps<Row> = LoadedTableProps<Row> & { row: Row };

/** It reaches over the whole card. */
function DetailsLink<Row>({ detailsTo, row }: CardProps<Row>) {
  if (!detailsTo) return null;
  return (
    <Link className={`${styles.link} ${styles.whole}`} to={detailsTo(row)}>
      View Details
    </Link>
  );
}

function Card<Row>(props: CardProps<Row>) {
  const { columns, links, row } = props;
  const columnsIn = (slot: CardSlot) => columns.filter(({ cardSlot = 'detail' }) => cardSlot === slot);
  const renderSlot = (slot: CardSlot, className?: string) =>
    columnsIn(slot).map((column) => (
      <span key={column.header} className={className}>
        {column.cell(row)}
      </span>
    ));
  return (
    <>
      <div className={styles.top}>
        {renderSlot('status')}
        {renderSlot('date', styles.date)}
      </div>
      <div className={styles.middle}>
        <div className={styles.title}>
          {columnsIn('name').map((column) => (
            <div key={column.header}>{column.cell(row)}</div>
          ))}
          {columnsIn('title').map((column) => (
            <div key={column.header}>
              <span>{column.header} </span>
              {column.cell(row)}
            </div>
          ))}
        </div>
        <div className={styles.money}>{renderSlot('money')}</div>
      </div>
      <CardDetails columns={columnsIn('detail')} row={row} />
      <div className={styles.buttons}>{renderSlot('actions')}</div>
      <div className={styles.bottom}>
        <DetailsLink {...props} />
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
      {columns.map((column) => (
        <div key={column.header}>
          <dt>{column.header}</dt>
          <dd>{column.cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}
