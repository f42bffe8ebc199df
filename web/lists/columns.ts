import type { ReactNode } from 'react';

/**
 * The place of a column's cell when the row is shown as a card. A name stands without the column's header, and so do actions,
 * which are buttons.
 */
export type CardSlot = 'status' | 'date' | 'name' | 'title' | 'money' | 'detail' | 'actions' | 'none';

export type Column<Row> = {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** Default: 'detail'. */
  readonly cardSlot?: CardSlot;
  /** The `sortField` of the list call, if the list can be sorted by this column. */
  readonly sort?: string;
};

export type Sort = { readonly field: string; readonly direction: 'asc' | 'desc' };
export type RowLink = { readonly label: string; readonly to: string };

export type DataTableProps<Row> = {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they load. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** The route of a row's 'View Details' link. */
  readonly detailsTo?: (row: Row) => string;
  /** The content of a row's card, around its link to the details: at every width. Without it, narrow screens show the columns in cards. */
  readonly card?: (row: Row, detailsLink: ReactNode) => ReactNode;
  /** More links beside 'View Details'. */
  readonly links?: (row: Row) => readonly RowLink[];
  /** The text or element for an empty list. */
  readonly empty?: string | ReactNode;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  /** Set when loading failed. Shown with a 'Try Again' button. */
  readonly failure?:
    | { readonly title: string; readonly error: unknown; readonly onRetry: () => void; readonly isRetrying?: boolean }
    | undefined;
  readonly skeletonRows?: number;
};

/** Marks rows from which one gets further. Those of a table that only has numbers lead nowhere. */
export const hasDetails = <Row>({
  detailsTo,
  links,
  card,
}: Pick<DataTableProps<Row>, 'card'> & {
  [N in 'detailsTo' | 'links']?: DataTableProps<Row>[N] | undefined;
}): true | undefined => (detailsTo || links || card ? true : undefined);
