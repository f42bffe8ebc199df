import { useHasCards } from '../hooks/breakpoints.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import type { DataTableProps } from './columns.ts';
import styles from './DataTable.module.css';
import { DataTableCards } from './DataTableCards.tsx';
import { DataTableRows } from './DataTableRows.tsx';

export type { Column, DataTableProps, RowLink, Sort } from './columns.ts';

/** A table that becomes cards below 1200 px. Has a skeleton, an empty state and an error state. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, failure, empty, card } = props;
  const isNarrow = useHasCards();
  const hasCards = isNarrow || card !== undefined;
  if (failure && !rows)
    return (
      <div className={styles.frame}>
        <ErrorState text="Your data is safe." {...failure} level={3} />
      </div>
    );
  if (!rows) return <TableSkeleton {...props} hasCards={hasCards} />;
  if (rows.length === 0)
    return <div className={styles.frame}>{typeof empty === 'string' ? <EmptyState text={empty} /> : empty}</div>;
  return hasCards ? <DataTableCards {...props} rows={rows} /> : <DataTableRows {...props} rows={rows} />;
}

function TableSkeleton<Row>({
  label,
  columns,
  skeletonRows = 4,
  hasCards,
}: DataTableProps<Row> & { hasCards: boolean }) {
  const rowNumbers = Array.from({ length: skeletonRows }, (_, index) => index);
  return (
    <div role="status" aria-label={`Loading ${label}`}>
      {hasCards ? (
        <div className={styles.cards}>
          {rowNumbers.map((row) => (
            <div key={row} className={styles.card} style={{ display: 'grid', gap: 14 }}>
              <Skeleton width="35%" height={20} />
              <Skeleton width="70%" />
              <Skeleton width="50%" />
            </div>
          ))}
        </div>
      ) : (
        <div className={styles.frame}>
          {rowNumbers.map((row) => (
            <div key={row} style={{ display: 'flex', gap: 24, padding: '20px 16px' }}>
              {columns.map((column) => (
                <Skeleton key={column.header} />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
