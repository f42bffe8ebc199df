import { useEffect, useRef } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { CopyId } from '../../ui/CopyId.tsx';
import { Fact, Facts } from '../../ui/DescriptionList.tsx';
import { formatDate } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Timeline } from '../../ui/Timeline.tsx';
import { loadLabel } from '../labels.ts';
import { aheadOf } from '../steps.ts';
import styles from './Card.module.css';
import { WayOut } from './NextStep.tsx';
import { whatHappens } from './statusText.ts';

type Shown = { order: Order; role: 'Bud' | 'Scrub' };

/** Where the order stands, in a sentence and step by step. */
export function OrderStatusCard({ order, role }: Shown) {
  const title = role === 'Bud' ? 'Order Status' : 'Job Status';
  const heading = useFocusAfter(order.status);
  return (
    <section className="card" aria-label={title}>
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <StatusBadge status={order.status} />
      </div>
      <p className={styles.now} aria-live="polite">
        {whatHappens(order, role)}
      </p>
      <Timeline steps={order.statusHistory} next={aheadOf(order.status)} />
      <WayOut order={order} role={role} />
    </section>
  );
}

/** The last step's button goes away with the focus on it; the heading of the new status then takes it. */
function useFocusAfter(status: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(status);
  useEffect(() => {
    if (last.current === status) return;
    last.current = status;
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [status]);
  return heading;
}

/** How the laundry travels when no Duber carries it. */
const BY_BUD = {
  Bud: { pickup: 'You drop it off', delivery: 'You pick it up' },
  Scrub: { pickup: 'The customer brings it', delivery: 'The customer fetches it' },
} as const;

export function ServiceDetails({ order, role }: Shown) {
  return (
    <section className="card" aria-label="Service Details">
      <h2 className={styles.title}>Service Details</h2>
      <Facts>
        <Fact name="Load Size">{loadLabel(order.loadSize)}</Fact>
        <Fact name="Pickup">{order.selfDelivery ? BY_BUD[role].pickup : 'By a Duber'}</Fact>
        <Fact name="Delivery">{order.selfPickup ? BY_BUD[role].delivery : 'By a Duber'}</Fact>
        <Fact name="Placed">
          <time dateTime={order.createdAt}>{formatDate(order.createdAt)}</time>
        </Fact>
        <Fact name={role === 'Bud' ? 'Order ID' : 'Job ID'}>
          <CopyId id={order.id} of={role === 'Bud' ? 'order id' : 'job id'} />
        </Fact>
        <Fact name="Special Instructions" isWide>
          {order.orderInstructions ?? <span className="quiet">None</span>}
        </Fact>
      </Facts>
    </section>
  );
}
