import type { WithFields } from '../../contract/answerFields.ts';
import type { Delivery } from '../../contract/deliveries.ts';
import type { DELIVERY_ROW_FIELDS } from '../../contract/screenFields.ts';
import type { Role } from '../../domain/accounts.ts';
import { FINISHED_STATUSES } from '../../domain/deliveries.ts';
import type { Column } from '../lists/DataTable.tsx';
import { CopyId } from '../ui/CopyId.tsx';
import { formatDate, formatKm, formatMoney, labelOf } from '../ui/format.ts';
import { PersonName } from '../ui/PersonName.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import styles from './columns.module.css';
import { useDueText } from './DueLine.tsx';

/** A row of deliveries. */
export type DeliveryRow = WithFields<Delivery, (typeof DELIVERY_ROW_FIELDS)[number]>;

const budColumn: Column<DeliveryRow> = {
  header: 'Bud',
  cardSlot: 'title',
  cell: (row) => <PersonName name={row.bud.fullname} />,
};
const scrubColumn: Column<DeliveryRow> = {
  header: 'Scrub',
  cardSlot: 'title',
  cell: (row) => <PersonName name={row.scrub.fullname} />,
};

const PERSON_COLUMNS: Record<Role, readonly Column<DeliveryRow>[]> = {
  Bud: [scrubColumn],
  Scrub: [budColumn],
  Duber: [budColumn, scrubColumn],
};

function DateCell({ row }: { row: DeliveryRow }) {
  const due = useDueText(row);
  return (
    <>
      <time dateTime={row.createdAt}>{formatDate(row.createdAt)}</time>
      {due && !FINISHED_STATUSES.includes(row.status) && <span className={styles.due}>{due}</span>}
    </>
  );
}

/** spec 2.7 to 2.9: the columns of a role's deliveries. */
export function columnsFor(role: Role): readonly Column<DeliveryRow>[] {
  return [
    { header: 'Delivery ID', cell: (row) => <CopyId id={row.id} label="delivery id" /> },
    ...PERSON_COLUMNS[role],
    {
      header: 'Distance',
      align: 'end',
      cell: (row) => <span className={styles.whole}>{formatKm(row.distanceInMeters)}</span>,
      sort: 'distanceInMeters',
    },
    { header: 'Price', cardSlot: 'money', align: 'end', cell: (row) => formatMoney(row.price), sort: 'price' },
    {
      header: 'Date',
      cardSlot: 'date',
      cell: (row) => <DateCell row={row} />,
      sort: 'createdAt',
    },
    { header: 'Type', cell: (row) => <span className={styles.whole}>{labelOf(row.deliveryType, 'type')}</span> },
    { header: 'Status', cardSlot: 'status', cell: (row) => <StatusBadge status={row.status} />, sort: 'status' },
  ];
}
