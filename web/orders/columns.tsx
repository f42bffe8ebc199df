import type { WithFields } from '../../contract/answerFields.ts';
import type { Order } from '../../contract/orders.ts';
import type { BUD_ORDER_FIELDS, ListedField, SCRUB_JOB_FIELDS } from '../../contract/screenFields.ts';
import type { Column } from '../lists/DataTable.tsx';
import { CopyId } from '../ui/CopyId.tsx';
import { formatDate, formatMoney } from '../ui/format.ts';
import { loadSizeLabel } from '../ui/loadSizeLabel.ts';
import { PersonName } from '../ui/PersonName.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import styles from './columns.module.css';
import { useTimesWords } from './OrderTimes.tsx';

/** The columns of a Bud's orders, or of a Scrub's jobs. */
export type BudRow = RowOf<WithFields<Order, (typeof BUD_ORDER_FIELDS)[number]>>;
export type ScrubRow = RowOf<WithFields<Order, (typeof SCRUB_JOB_FIELDS)[number]>>;

/** Rows on a dashboard have neither a number nor times. */
type RowOf<Row extends Pick<Order, ListedField>> = Omit<Row, ListedField> & Partial<Pick<Row, ListedField>>;

const idColumn = (header: string, label: string): Column<Pick<Order, 'id'> & Partial<Pick<Order, 'number'>>> => ({
  header,
  cell: (row) => (
    <span className={styles.id}>
      {row.number !== undefined && <span className={styles.number}>{row.number}</span>}
      <CopyId id={row.id} label={label} />
    </span>
  ),
});
const statusColumn: Column<Pick<Order, 'status'>> = {
  header: 'Status',
  cardSlot: 'status',
  cell: (row) => <StatusBadge status={row.status} />,
};
const loadSizeColumn: Column<Pick<Order, 'loadSize'>> = {
  header: 'Load Size',
  cell: (row) => loadSizeLabel(row.loadSize),
};
type DatedRow = Pick<Order, 'createdAt' | 'status'> & Partial<Pick<Order, ListedField>>;

/** When it was placed, and when somebody comes. Lists do not know whether a completed order is back. */
function DateCell({ row }: { row: DatedRow }) {
  const times = useTimesWords({ selfDelivery: false, selfPickup: false, ...row });
  return (
    <>
      <time dateTime={row.createdAt}>{formatDate(row.createdAt)}</time>
      {times && row.status !== 'Completed' && <span className={styles.times}>{times}</span>}
    </>
  );
}

const dateColumn: Column<DatedRow> = {
  header: 'Date',
  cardSlot: 'date',
  cell: (row) => <DateCell row={row} />,
  sort: 'createdAt',
};

// spec 2.7
export const BUD_COLUMNS: readonly Column<BudRow>[] = [
  idColumn('Order ID', 'order id'),
  { header: 'Scrub', cardSlot: 'title', cell: (row) => <PersonName name={row.scrub.fullname} /> },
  { ...statusColumn, sort: 'status' },
  loadSizeColumn,
  dateColumn,
  {
    header: 'Total Price',
    cardSlot: 'money',
    align: 'end',
    cell: (row) => formatMoney(row.price.totalPrice),
    sort: 'price',
  },
];

// spec 2.8
export const SCRUB_COLUMNS: readonly Column<ScrubRow>[] = [
  idColumn('Job ID', 'job id'),
  { header: 'Bud', cardSlot: 'title', cell: (row) => <PersonName name={row.bud.fullname} /> },
  { ...statusColumn, sort: 'status' },
  loadSizeColumn,
  dateColumn,
  {
    header: 'Earning',
    cardSlot: 'money',
    align: 'end',
    cell: (row) => formatMoney(row.scrubEarning),
    sort: 'scrubEarning',
  },
];
