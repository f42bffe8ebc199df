import type { ReactNode } from 'react';
import { Bone } from './Bone.tsx';
import { CardList } from './DataTable.cards.tsx';
import styles from './DataTable.module.css';
import { RowTable } from './DataTable.rows.tsx';
import { Empty } from './Empty.tsx';
import { Failure } from './Failure.tsx';
import { useNarrow } from './narrow.ts';

/** Where a column's cell goes when the row is a card: on top, as the name, at the right, as a fact, or nowhere. */
export type CardPlace = 'status' | 'date' | 'title' | 'money' | 'fact' | 'none';

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** Default 'fact'. */
  readonly card?: CardPlace;
  /** The list's sortField, when the column can be sorted by. */
  readonly sort?: string;
};

export type Sort = { readonly field: string; readonly direction: 'asc' | 'desc' };
export type RowLink = { readonly label: string; readonly to: string };

export type DataTableProps<Row> = {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** undefined while they load. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Where a row's 'View Details' leads. */
  readonly detailsTo?: (row: Row) => string;
  /** More ways out of a row, beside View Details. */
  readonly links?: (row: Row) => readonly RowLink[];
  /** What is said, or shown, when there are no rows. */
  readonly empty: string | ReactNode;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  /** Set when loading failed: the title of the failure, with Try Again. */
  readonly failure?:
    | { readonly title: string; readonly onRetry: () => void; readonly isRetrying?: boolean }
    | undefined;
  readonly skeletonRows?: number;
};

/** A table that becomes cards under 720 px, with bones while it loads, an empty state and a failure. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isNarrow = useNarrow();
  const { rows, failure, empty } = props;
  if (failure && !rows)
    return (
      <div className={styles.frame}>
        <Failure text="Nothing is lost: it may be the connection." {...failure} level={3} />
      </div>
    );
  if (!rows) return <Skeleton {...props} isNarrow={isNarrow} />;
  if (rows.length === 0)
    return <div className={styles.frame}>{typeof empty === 'string' ? <Empty text={empty} /> : empty}</div>;
  return isNarrow ? <CardList {...props} rows={rows} /> : <RowTable {...props} rows={rows} />;
}

function Skeleton<Row>({ label, columns, skeletonRows = 4, isNarrow }: DataTableProps<Row> & { isNarrow: boolean }) {
  const lines = Array.from({ length: skeletonRows }, (_, index) => index);
  return (
    <div role="status" aria-label={`Loading ${label}`}>
      {isNarrow ? (
        <div className={styles.cards}>
          {lines.map((line) => (
            <div key={line} className={styles.card} style={{ display: 'grid', gap: 14 }}>
              <Bone width="35%" height={20} />
              <Bone width="70%" />
              <Bone width="50%" />
            </div>
          ))}
        </div>
      ) : (
        <div className={styles.frame}>
          {lines.map((line) => (
            <div key={line} style={{ display: 'flex', gap: 24, padding: '20px 16px' }}>
              {columns.map((column) => (
                <Bone key={column.head} />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
