import { useEffect, useRef } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatDate } from '../../ui/format.ts';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { Timeline } from '../../ui/Timeline.tsx';
import styles from '../Card.module.css';
import { describeChange, isGivenBackBy } from '../orderChanges.ts';
import { upcomingStatuses } from '../steps.ts';

type OrderCardProps = { order: Order; role: 'Bud' | 'Scrub' };

/** The statuses that an order has had, and those to come. */
export function StatusHistory({ order, role }: OrderCardProps) {
  return (
    <Timeline steps={historyOf(order, role)} next={isGivenBackBy(order, role) ? [] : upcomingStatuses(order.status)} />
  );
}

/** The steps of an order, with words for those that were not planned. */
const historyOf = ({ statusHistory }: Order, role: OrderCardProps['role']) =>
  statusHistory.map(({ action, by, ...step }) =>
    action && by ? { ...step, label: describeChange({ action, by }, role) } : step,
  );

/** When the last step's focused button disappears, the heading of the new status takes the focus. */
export function useFocusOnStatusChange(status: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(status);
  useEffect(() => {
    if (last.current === status) return;
    last.current = status;
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [status]);
  return heading;
}

/** Who carries the laundry when no Duber does. */
const SELF_TRANSPORT_TEXTS = {
  Bud: { pickup: 'You drop it off', delivery: 'You pick it up' },
  Scrub: { pickup: 'The customer brings it', delivery: 'The customer picks it up' },
} as const;

/** A Scrub does not see the instructions of an order that was called off. */
const noInstructionsText = ({ status }: Order, role: OrderCardProps['role']) =>
  role === 'Scrub' && ORDER_GROUPS[status] === 'cancelled' ? 'No longer shown' : 'None';

export function ServiceDetails({ order, role }: OrderCardProps) {
  return (
    <section className="card" aria-label="Service Details">
      <h2 className={styles.title}>Service Details</h2>
      <DescriptionList>
        <DescriptionItem name="Load Size">{loadSizeLabel(order.loadSize)}</DescriptionItem>
        <DescriptionItem name="Pickup">
          {order.selfDelivery ? SELF_TRANSPORT_TEXTS[role].pickup : 'By a Duber'}
        </DescriptionItem>
        <DescriptionItem name="Delivery">
          {order.selfPickup ? SELF_TRANSPORT_TEXTS[role].delivery : 'By a Duber'}
        </DescriptionItem>
        <DescriptionItem name="Placed">
          <time dateTime={order.createdAt}>{formatDate(order.createdAt)}</time>
        </DescriptionItem>
        <DescriptionItem name={role === 'Bud' ? 'Order' : 'Job'}>{order.number}</DescriptionItem>
        <DescriptionItem name="Special Instructions" isWide>
          {order.orderInstructions ?? <span className="quiet">{noInstructionsText(order, role)}</span>}
        </DescriptionItem>
      </DescriptionList>
    </section>
  );
}
