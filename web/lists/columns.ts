import type { ReactNode } from 'react';

/** Where a column's cell goes when the row is a card: on top, as the name, at the right, as a fact, or nowhere. */
export type CardSlot = 'status' | 'date' | 'title' | 'money' | 'fact' | 'none';

export type Column<Row> = {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** Default 'fact'. */
  readonly cardSlot?: CardSlot;
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
    | { readonly title: string; readonly error: unknown; readonly onRetry: () => void; readonly isRetrying?: boolean }
    | undefined;
  readonly skeletonRows?: number;
};
