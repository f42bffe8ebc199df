import { Link } from 'react-router';
import { Icon } from '../ui/icons.tsx';
import { type Column, type DataTableProps, hasDetails, type RowLink, type Sort } from './columns.ts';
import styles from './DataTable.module.css';

type LoadedTableProps<R> = DataTableProps<R> & { rows: readonly R[] };

export function DataTableRows<R>({
  label,
  columns,
  rows,
  rowKey,
  detailsTo,
  links,
  sort,
  onSort,
}: LoadedTableProps<R>) {
  const hasLinks = detailsTo !== undefined || links !== undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, and a keyboard must reach it
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <table className={styles.table}>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.header} column={column} sort={sort} onSort={onSort} />
            ))}
            {hasLinks && (
              <th scope="col" className={`${styles.end} ${styles.actions}`}>
                Actions
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} detailsTo={detailsTo} links={links} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps<R> = Pick<DataTableProps<R>, 'columns'> & {
  detailsTo: ((row: R) => string) | undefined;
  links: ((row: R) => readonly RowLink[]) | undefined;
};

function Row<R>({ row, columns, detailsTo, links }: RowProps<R> & { row: R }) {
  return (
    <tr className={detailsTo && styles.row} data-row={hasDetails({ detailsTo, links })}>
      {columns.map((column) => (
        <td key={column.header} className={column.align === 'end' ? styles.end : undefined}>
          {column.cell(row)}
        </td>
      ))}
      {(detailsTo || links) && (
        <td className={styles.actions}>
          <div className={styles.links}>
            {links?.(row).map((link) => (
              <Link key={link.to} className={`${styles.link} ${styles.other}`} to={link.to}>
                {link.label}
              </Link>
            ))}
            {detailsTo && (
              <Link className={`${styles.link} ${styles.whole}`} to={detailsTo(row)}>
                View Details
              </Link>
            )}
          </div>
        </td>
      )}
    </tr>
  );
}

function HeaderCell<R>({
  column,
  sort,
  onSort,
}: {
  column: Column<R>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  const { sort: field, header, align } = column;
  const alignment = align === 'end' ? { className: styles.end } : {};
  if (!field || !onSort)
    return (
      <th scope="col" {...alignment}>
        {header}
      </th>
    );
  const isSorted = sort?.field === field;
  const direction = isSorted && sort.direction === 'desc' ? 'asc' : 'desc';
  return (
    <th
      scope="col"
      {...alignment}
      aria-sort={isSorted ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className={`${styles.sort} ${isSorted && sort.direction === 'asc' ? styles.up : ''}`}
        onClick={() => onSort({ field, direction })}
      >
        {header}
        {isSorted && <Icon name="down" size={14} />}
      </button>
    </th>
  );
}
