import { useId } from 'react';
import { Link } from 'react-router';
import { ArrivalTime } from '../../deliveries/position/Arrival.tsx';
import { useDriverOnTheWay } from '../../deliveries/position/useDriver.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { OrderTimes } from '../OrderTimes.tsx';
import { StopsBar } from '../StopsBar.tsx';
import { LiveMap } from './LiveMap.tsx';
import styles from './LiveOrderCard.module.css';
import {
  arrivalLabel,
  currentDeliveryOf,
  describeLiveOrder,
  holderOf,
  type LiveOrder,
  sortByProgress,
} from './liveOrder.ts';

/** The order under way that comes first, and links to the others. Nothing when none is under way. */
export function LiveOrderCard({ orders }: { orders: readonly LiveOrder[] }) {
  const [order, ...others] = sortByProgress(orders);
  return order ? <CurrentOrder key={order.id} order={order} others={others} /> : null;
}

function CurrentOrder({ order, others }: { order: LiveOrder; others: readonly LiveOrder[] }) {
  const title = useId();
  const { position, route } = useDriverOnTheWay(currentDeliveryOf(order));
  const { now, next } = describeLiveOrder(order);
  const holder = holderOf(order);
  return (
    <section className={styles.card} aria-labelledby={title}>
      <div className={styles.words}>
        <h2 id={title} className={styles.title}>
          Your laundry right now
        </h2>
        <div className={styles.sentence}>
          <p className={styles.now} aria-live="polite">
            {now}
          </p>
          <OrderTimes order={order} />
          <ArrivalTime route={route} label={arrivalLabel(order)} />
        </div>
        <StopsBar order={order} />
        <DescriptionList isColumn>
          {holder && <DescriptionItem name="Who has it">{holder}</DescriptionItem>}
          <DescriptionItem name="What comes next">{next}</DescriptionItem>
        </DescriptionList>
        <Link className={styles.link} to={`/bud/orders/${order.id}`}>
          Follow this order
          <Icon name="arrow" size={18} />
        </Link>
        {others.length > 0 && <OtherOrders orders={others} />}
      </div>
      <LiveMap order={order} position={position ?? undefined} route={route} />
    </section>
  );
}

function OtherOrders({ orders }: { orders: readonly LiveOrder[] }) {
  return (
    <div className={styles.others}>
      <h3>Also under way</h3>
      <ul>
        {orders.map((order) => (
          <li key={order.id}>
            <Link to={`/bud/orders/${order.id}`}>
              Order {order.number} with <PersonName name={order.scrub.fullname} />
            </Link>
            <span className="quiet">{describeLiveOrder(order).now}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
