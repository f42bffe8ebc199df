import { Link } from 'react-router';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { Order } from '../../../contract/orders.ts';
import type { Review } from '../../../contract/reviews.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { describeNoDuber } from '../../deliveries/noDuber.ts';
import { deliveryPath } from '../../deliveries/paths.ts';
import { formatDate, labelOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import cards from '../Card.module.css';
import { DriverReview } from './DriverReview.tsx';
import styles from './OrderDeliveries.module.css';

type OrderRole = 'Bud' | 'Scrub';

/** The deliveries of an order, each linked to its page. */
export function OrderDeliveries({ order, role }: { order: Order; role: OrderRole }) {
  return (
    <section className="card" aria-label="Deliveries">
      <h2 className={cards.title}>Deliveries</h2>
      {order.deliveries.length === 0 ? (
        <p className="quiet">{describeNoDeliveries(order)}</p>
      ) : (
        <ul className={styles.list}>
          {order.deliveries.map((delivery) => (
            <DeliveryItem key={delivery.id} delivery={delivery} reviews={order.reviews} role={role} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Deliveries are created while the order is open, and only those that nobody else takes over. */
function describeNoDeliveries({ status, selfDelivery, selfPickup }: Order): string {
  if (ORDER_GROUPS[status] === 'cancelled') return 'This order has no deliveries.';
  if (selfPickup && (selfDelivery || status === 'Completed')) return 'No Duber is needed for this order.';
  return 'No deliveries yet.';
}

function DeliveryItem({
  delivery,
  reviews,
  role,
}: {
  delivery: Delivery;
  reviews: readonly Review[];
  role: OrderRole;
}) {
  const name = `delivery-${delivery.id}`;
  return (
    <li className={styles.trip}>
      <span className={styles.icon}>
        <Icon name="truck" />
      </span>
      <div className={styles.words}>
        <p id={name} className={styles.type}>
          {labelOf(delivery.deliveryType, 'type')}
        </p>
        <p className="quiet">
          {delivery.duber ? <PersonName name={delivery.duber.fullname} /> : describeNoDuber(delivery, role)}
        </p>
        <time className={styles.date} dateTime={delivery.createdAt}>
          {formatDate(delivery.createdAt)}
        </time>
      </div>
      <StatusBadge status={delivery.status} />
      <Link className={styles.link} to={deliveryPath(role, delivery.id)} aria-describedby={name}>
        View Details
      </Link>
      <DriverReview delivery={delivery} reviews={reviews} role={role} describedBy={name} />
    </li>
  );
}
