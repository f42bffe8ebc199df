import type { DeliveryDetails } from '../../../contract/deliveries.ts';
import { splitDeliveryPrice, toCents, toDollars } from '../../../domain/payments.ts';
import { TakenBack } from '../../cases/TakenBack.tsx';
import { PriceTable } from '../../ui/PriceTable.tsx';
import styles from '../Card.module.css';
import { earningsNote, waitingNote } from './earningsNote.ts';

type DeliveryEarningsProps = { delivery: DeliveryDetails };

/** What the Duber earns with the delivery, and its parts. Of one that has stopped, only what was `paid`. */
export function DeliveryEarnings({ delivery }: DeliveryEarningsProps) {
  const { id, orderId, price, paid = null } = delivery;
  const waits = paid === null ? waitingNote(delivery) : undefined;
  return (
    <section className="card" aria-label="Delivery Earnings">
      <h2 className={styles.title}>Delivery Earnings</h2>
      {paid === null ? <Parts price={price} /> : <p>{earningsNote(paid, delivery)}</p>}
      {waits && <p className={`quiet ${styles.under}`}>{waits}</p>}
      <TakenBack orderId={orderId} deliveryId={id} className={`quiet ${styles.under}`} />
    </section>
  );
}

function Parts({ price }: { price: number }) {
  const { base, distance, service } = splitDeliveryPrice(toCents(price));
  const lines = [
    { label: 'Base rate (80%)', amount: toDollars(base) },
    { label: 'Distance fee (15%)', amount: toDollars(distance) },
    { label: 'Service fee (5%)', amount: toDollars(service) },
  ];
  return <PriceTable lines={lines} total={{ label: 'Your earnings', amount: price }} />;
}
