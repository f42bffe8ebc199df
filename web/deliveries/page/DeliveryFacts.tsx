import { Link } from 'react-router';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import { loadLabel } from '../../orders/labels.ts';
import { CopyId } from '../../ui/CopyId.tsx';
import { Fact, Facts } from '../../ui/DescriptionList.tsx';
import { formatDate, formatKm, formatMoney, labelOf, shortId } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Timeline } from '../../ui/Timeline.tsx';
import { orderPath } from '../paths.ts';
import { aheadOf, NOW } from '../steps.ts';
import styles from './Card.module.css';

type Shown = { delivery: Delivery; role: Role };

/** Where the delivery stands, and every step with its time. */
export function DeliveryStatus({ delivery }: { delivery: Delivery }) {
  return (
    <section className="card" aria-label="Delivery Status">
      <div className={styles.head}>
        <h2>Delivery Status</h2>
        <StatusBadge status={delivery.status} />
      </div>
      <p className={styles.now} aria-live="polite">
        {NOW[delivery.status]}
      </p>
      <Timeline steps={delivery.statusHistory} next={aheadOf(delivery.status)} label="Delivery status history" />
    </section>
  );
}

export function DeliveryInformation({ delivery, role }: Shown) {
  const order = orderPath(role, delivery.orderId);
  return (
    <section className="card" aria-label="Delivery Information">
      <h2 className={styles.title}>Delivery Information</h2>
      <Facts>
        <Fact name="Type">{labelOf(delivery.deliveryType, 'type')}</Fact>
        <Fact name="Distance">{formatKm(delivery.distanceInMeters)}</Fact>
        <Fact name="Created">
          <time dateTime={delivery.createdAt}>{formatDate(delivery.createdAt)}</time>
        </Fact>
        <Fact name="Order ID">
          {order ? <Link to={order}>{shortId(delivery.orderId)}</Link> : <CopyId id={delivery.orderId} of="order id" />}
        </Fact>
      </Facts>
    </section>
  );
}

/** spec 2.9: a Duber sees no price. */
export function OrderInformation({ delivery: { order }, role }: Shown) {
  return (
    <section className="card" aria-label="Order Information">
      <h2 className={styles.title}>Order Information</h2>
      <Facts>
        <Fact name="Load Size">{loadLabel(order.loadSize)}</Fact>
        {role !== 'Duber' && order.price && <Fact name="Order Price">{formatMoney(order.price.loadPrice)}</Fact>}
        {order.orderInstructions && (
          <Fact name="Order Instructions" isWide>
            {order.orderInstructions}
          </Fact>
        )}
      </Facts>
    </section>
  );
}
