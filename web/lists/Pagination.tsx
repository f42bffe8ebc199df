import { Button } from '@mantine/core';
import styles from './DataTable.module.css';

/** Buttons to the previous and the next page. Renders nothing when there is one page. */
export function Pagination({
  pageNumber,
  pageSize,
  totalCount,
  onPageChange,
}: {
  pageNumber: number;
  pageSize: number;
  totalCount: number;
  onPageChange: (pageNumber: number) => void;
}) {
  const last = Math.max(1, Math.ceil(totalCount / pageSize));
  if (last === 1) return null;
  return (
    <nav className={styles.pages} aria-label="Pages">
      <Button variant="default" disabled={pageNumber <= 1} onClick={() => onPageChange(pageNumber - 1)}>
        Previous
      </Button>
      <span className="quiet" aria-live="polite">
        Page {pageNumber} of {last}
      </span>
      <Button variant="default" disabled={pageNumber >= last} onClick={() => onPageChange(pageNumber + 1)}>
        Next page
      </Button>
    </nav>
  );
}
