import type { Column } from '../../lists/DataTable.tsx';
import { formatKm } from '../../ui/format.ts';
import styles from '../columns.module.css';
import { columnsFor, type DeliveryRow } from '../columns.tsx';
import type { Offer } from '../dashboardQuery.ts';

const toOfferColumn = ({ sort: _, cell, ...column }: Column<DeliveryRow>): Column<Offer> => ({
  ...column,
  cell: column.header === 'Distance' ? DistanceCell : ({ delivery }) => cell(delivery),
});

/** spec 2.9: the columns of the pending deliveries. */
export const OFFER_COLUMNS = columnsFor('Duber').map(toOfferColumn);

function DistanceCell({ delivery, distanceMeters }: Offer) {
  return (
    <span className={styles.distance}>
      {formatKm(delivery.distanceInMeters)}
      <span className={styles.away}>{formatKm(distanceMeters)} away</span>
    </span>
  );
}
