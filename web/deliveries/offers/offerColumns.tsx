import type { Column } from '../../lists/DataTable.tsx';
import { useDistance } from '../../places/useDistance.ts';
import styles from '../columns.module.css';
import { columnsFor, type DeliveryRow } from '../columns.tsx';
import type { Offer } from '../dashboardQuery.ts';

const toOfferColumn = ({ sort: _, cell, ...column }: Column<DeliveryRow>): Column<Offer> => ({
  ...column,
  cell: column.header === 'Distance' ? (offer) => <DistanceCell {...offer} /> : ({ delivery }) => cell(delivery),
});

/** spec 2.9: the columns of the pending deliveries. */
export const OFFER_COLUMNS = columnsFor('Duber').map(toOfferColumn);

function DistanceCell({ delivery, distanceMeters }: Offer) {
  const format = useDistance();
  return (
    <span className={styles.distance}>
      {format(delivery.distanceInMeters)}
      <span className={styles.away}>{format(distanceMeters)} away</span>
    </span>
  );
}
