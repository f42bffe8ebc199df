import { splitDeliveryPrice, toCents, toDollars } from '../../../domain/payments.ts';
import { PriceTable } from '../../ui/PriceTable.tsx';
import styles from './Card.module.css';
import { earningsNote } from './earningsNote.ts';

/** What the Duber earns with the delivery, and its parts. Of one that has stopped, only what was `paid`. */
export function DeliveryEarnings({ price, paid }: { price: number; paid: number | null }) {
  return (
    <section className="card" aria-label="Delivery Earnings">
      <h2 className={styles.title}>Delivery Earnings</h2>
      {paid === null ? <Parts price={price} /> : <p>{earningsNote(paid)}</p>}
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
