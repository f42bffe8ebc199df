import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { relayRoleOf } from '../../handovers/relay.ts';
import { useDubersCustody } from '../../handovers/useDubersCustody.ts';
import { useUser } from '../../session/session.ts';
import { CopyId } from '../../ui/CopyId.tsx';
import { formatKm, formatMoney, labelOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { DueLine } from '../DueLine.tsx';
import type { DuberDashboardData } from '../dashboardQuery.ts';
import { deliveryPath } from '../paths.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';
import { RelayAsked } from '../problems/RelayAsked.tsx';
import styles from './ActiveDelivery.module.css';
import { LazyActiveStep } from './LazyActiveStep.tsx';

/** The Duber's active delivery: the route, the earnings, its next step, and a link to its details (spec 2.9). */
export function ActiveDelivery({
  delivery,
  isNew,
}: {
  delivery: NonNullable<DuberDashboardData['activeDelivery']>;
  /** Whether it has just been accepted here. */
  isNew: boolean;
}) {
  // The dashboard loads again while it arrives.
  const [isArriving] = useState(isNew);
  const { id } = useUser();
  // Who has it is a question only of relayed laundry.
  const { data: custody } = useDubersCustody({ ...delivery, duberId: delivery.pickup && id }, id);
  const side = relayRoleOf({ ...delivery, duberId: id }, id, custody);
  // An active delivery that failed has its laundry on board.
  const { pickup, drop } = pickupAndDropOf({ ...delivery, hasLaundry: delivery.status === 'Failed' }, 'Duber', side);
  return (
    <section className={`card ${styles.active} ${isArriving ? styles.new : ''}`} aria-label="Active Delivery">
      <div className={styles.head}>
        <h2>Active Delivery</h2>
        <StatusBadge status={delivery.status} />
      </div>
      <DueLine delivery={delivery} />
      <ol className={styles.ends}>
        {[pickup, drop].map((end) => (
          <li key={end.label} className={styles.end}>
            <span className="quiet">{end.label}</span>
            <strong>{end.address ?? 'No address provided'}</strong>
          </li>
        ))}
      </ol>
      <dl className={styles.facts}>
        <DescriptionItem name="Earnings" value={<strong className="tabular">{formatMoney(delivery.price)}</strong>} />
        <DescriptionItem name="Distance" value={formatKm(delivery.distanceInMeters)} />
        <DescriptionItem name="Type" value={labelOf(delivery.deliveryType, 'type')} />
        <DescriptionItem name="Delivery ID" value={<CopyId id={delivery.id} label="delivery id" />} />
        <DescriptionItem name="Order ID" value={<CopyId id={delivery.orderId} label="order id" />} />
      </dl>
      <RelayAsked delivery={delivery} />
      <div className={styles.step}>
        <LazyActiveStep deliveryId={delivery.id} />
      </div>
      <Button
        component={Link}
        to={deliveryPath('Duber', delivery.id)}
        variant="default"
        rightSection={<Icon name="arrow" />}
        className={styles.go ?? ''}
      >
        View Details
      </Button>
    </section>
  );
}

function DescriptionItem({ name, value }: { name: string; value: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
