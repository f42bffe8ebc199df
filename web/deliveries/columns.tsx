import type { Delivery } from '../../contract/deliveries.ts';
import type { Role } from '../../domain/accounts.ts';
import type { Column } from '../lists/DataTable.tsx';
import { CopyId } from '../ui/CopyId.tsx';
import { formatDate, formatKm, formatMoney, labelOf } from '../ui/format.ts';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import styles from './columns.module.css';

/** What a row of deliveries is made of. */
export type DeliveryRow = Pick<
  Delivery,
  'id' | 'orderId' | 'bud' | 'scrub' | 'distanceInMeters' | 'price' | 'createdAt' | 'deliveryType' | 'status'
> & {
  /** Metres from the Duber to the pickup, where that is known. */
  readonly away?: number;
};

/** The list's `fields` that make a row. */
export const ROW_FIELDS = 'orderId,bud,scrub,distanceInMeters,price,createdAt,deliveryType,status';

const bud: Column<DeliveryRow> = { head: 'Bud', card: 'title', cell: (row) => row.bud.fullname };
const scrub: Column<DeliveryRow> = { head: 'Scrub', card: 'title', cell: (row) => row.scrub.fullname };

const PEOPLE: Record<Role, readonly Column<DeliveryRow>[]> = { Bud: [scrub], Scrub: [bud], Duber: [bud, scrub] };

/** spec 2.7 to 2.9: the columns of a role's deliveries. */
export function columnsFor(role: Role): readonly Column<DeliveryRow>[] {
  return [
    { head: 'Delivery ID', cell: (row) => <CopyId id={row.id} of="delivery id" /> },
    ...PEOPLE[role],
    { head: 'Distance', align: 'end', cell: Distance, sort: 'distanceInMeters' },
    { head: 'Price', card: 'money', align: 'end', cell: (row) => formatMoney(row.price), sort: 'price' },
    {
      head: 'Date',
      card: 'date',
      cell: When,
      sort: 'createdAt',
    },
    { head: 'Type', cell: (row) => <span className={styles.whole}>{labelOf(row.deliveryType, 'type')}</span> },
    { head: 'Status', card: 'status', cell: (row) => <StatusBadge status={row.status} />, sort: 'status' },
  ];
}

/** A date that breaks between the day and the hour, and nowhere else. */
function When({ createdAt }: DeliveryRow) {
  const [day, hour] = formatDate(createdAt).split(' : ');
  return (
    <time dateTime={createdAt}>
      <span className={styles.whole}>{day} :</span> <span className={styles.whole}>{hour}</span>
    </time>
  );
}

function Distance({ distanceInMeters, away }: DeliveryRow) {
  return (
    <span className={styles.distance}>
      {formatKm(distanceInMeters)}
      {away !== undefined && <span className={styles.away}>{formatKm(away)} away</span>}
    </span>
  );
}
