import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { HOUR_MS } from '../../../domain/durations.ts';
import { currentTime } from '../../clock.ts';
import { formatMoney, labelOf } from '../../ui/format.ts';
import items from '../../ui/ItemList.module.css';
import { Icon } from '../../ui/icons.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { DueLine } from '../DueLine.tsx';
import type { DuberDashboardData } from '../dashboardQuery.ts';
import { deliveryPath } from '../paths.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';
import styles from './AheadDeliveries.module.css';
import { LazyActiveStep } from './LazyActiveStep.tsx';

type Ahead = NonNullable<DuberDashboardData['aheadDeliveries']>;

/** From so long before its window on, a Duber sets off for a delivery from the dashboard. */
const SETS_OFF_MS = HOUR_MS;

const isDueSoon = ({ window }: Ahead[number]) =>
  window !== undefined && Date.parse(window.from) - SETS_OFF_MS <= currentTime().getTime();

/** The deliveries that the Duber has accepted ahead, the next one first. Its step is here once its window is near. */
export function AheadDeliveries({ deliveries = [], isBusy }: { deliveries: Ahead | undefined; isBusy: boolean }) {
  if (deliveries.length === 0) return null;
  return (
    <section className={styles.ahead} aria-label="Ahead">
      <SectionHeader title="Ahead" />
      <ol className={items.list}>
        {deliveries.map((delivery, index) => (
          <li key={delivery.id} className={`card ${styles.one}`}>
            <AheadDelivery delivery={delivery} />
            {index === 0 && !isBusy && isDueSoon(delivery) && (
              <div className={styles.step}>
                <LazyActiveStep deliveryId={delivery.id} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function AheadDelivery({ delivery }: { delivery: Ahead[number] }) {
  const { pickup, drop } = pickupAndDropOf(delivery, 'Duber');
  return (
    <>
      <div className={styles.words}>
        <DueLine delivery={delivery} />
        <p className={styles.way}>
          <span>{pickup.address ?? 'No address provided'}</span>
          <Icon name="arrow" size={16} />
          <span className="sr-only"> to </span>
          <span>{drop.address ?? 'No address provided'}</span>
        </p>
        <p className="quiet">
          <span className="tabular">{formatMoney(delivery.price)}</span> · {labelOf(delivery.deliveryType, 'type')}
        </p>
      </div>
      <Button component={Link} to={deliveryPath('Duber', delivery.id)} variant="default" className={styles.go ?? ''}>
        View Details
      </Button>
    </>
  );
}
