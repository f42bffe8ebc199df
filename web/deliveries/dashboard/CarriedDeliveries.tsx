import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { carrierText } from '../../handovers/relay.ts';
import { Icon } from '../../ui/icons.tsx';
import type { DuberDashboardData } from '../dashboardQuery.ts';
import { deliveryPath } from '../paths.ts';
import styles from '../problems/DeliveryProblems.module.css';

/** Laundry that a Duber could not go on with, and keeps until the next one collects it. */
export function CarriedDeliveries({ deliveries }: { deliveries: DuberDashboardData['carriedDeliveries'] }) {
  return deliveries?.map((delivery) => {
    const { title, text } = carrierText(delivery);
    return (
      <section key={delivery.id} className={`${styles.news} ${styles.onDashboard}`} aria-label="You have the laundry">
        <h2>{title}</h2>
        <p>{text}</p>
        <Button
          component={Link}
          to={deliveryPath('Duber', delivery.id)}
          variant="default"
          rightSection={<Icon name="arrow" />}
          className={styles.choice ?? ''}
        >
          View Delivery
        </Button>
      </section>
    );
  });
}
