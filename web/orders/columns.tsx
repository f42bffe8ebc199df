import type { Order } from '../../contract/orders.ts';
import type { Column } from '../lists/DataTable.tsx';
import { CopyId } from '../ui/CopyId.tsx';
import { formatDate, formatMoney } from '../ui/format.ts';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { loadLabel } from './labels.ts';

/** What a row of a Bud's orders, or of a Scrub's jobs, is made of. */
export type BudRow = Pick<Order, 'id' | 'scrub' | 'status' | 'loadSize' | 'createdAt' | 'price'>;
export type ScrubRow = Pick<Order, 'id' | 'bud' | 'status' | 'loadSize' | 'createdAt' | 'scrubEarning'>;

const status: Column<Pick<Order, 'status'>> = {
  head: 'Status',
  card: 'status',
  cell: (row) => <StatusBadge status={row.status} />,
};
const loadSize: Column<Pick<Order, 'loadSize'>> = {
  head: 'Load Size',
  cell: (row) => loadLabel(row.loadSize),
};
const date: Column<Pick<Order, 'createdAt'>> = {
  head: 'Date',
  card: 'date',
  cell: (row) => <time dateTime={row.createdAt}>{formatDate(row.createdAt)}</time>,
  sort: 'createdAt',
};

// spec 2.7
export const BUD_COLUMNS: readonly Column<BudRow>[] = [
  { head: 'Order ID', cell: (row) => <CopyId id={row.id} of="order id" /> },
  { head: 'Scrub', card: 'title', cell: (row) => row.scrub.fullname },
  { ...status, sort: 'status' },
  loadSize,
  date,
  {
    head: 'Total Price',
    card: 'money',
    align: 'end',
    cell: (row) => formatMoney(row.price.totalPrice),
    sort: 'price',
  },
];

// spec 2.8
export const SCRUB_COLUMNS: readonly Column<ScrubRow>[] = [
  { head: 'Job ID', cell: (row) => <CopyId id={row.id} of="job id" /> },
  { head: 'Bud', card: 'title', cell: (row) => row.bud.fullname },
  { ...status, sort: 'status' },
  loadSize,
  date,
  {
    head: 'Earning',
    card: 'money',
    align: 'end',
    cell: (row) => formatMoney(row.scrubEarning),
    sort: 'scrubEarning',
  },
];
