import { useEffect, useRef } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { townWordsOf } from '../../deliveries/townWords.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatDate } from '../../ui/format.ts';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Timeline } from '../../ui/Timeline.tsx';
import styles from '../Card.module.css';
import { changeWordsOf } from '../changes/changeWords.ts';
import { LeaveOrder } from '../changes/OrderChanges.tsx';
import { failureWordsOf } from '../failureWords.ts';
import { describeChange, isGivenBackBy } from '../orderChanges.ts';
import { upcomingStatuses } from '../steps.ts';
import { EndOrderActions } from './NextStep.tsx';
import { describeStatus } from './statusText.ts';

type OrderCardProps = { order: Order; role: 'Bud' | 'Scrub' };

/** The job's status, as a sentence and as a timeline. */
export function JobStatusCard({ order }: { order: Order }) {
  const role = 'Scrub';
  const heading = useFocusOnStatusChange(order.status);
  const words = failureWordsOf(order) ?? changeWordsOf(order, role);
  const townWords = townWordsOf(order);
  return (
    <section className="card" aria-label="Job Status">
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          Job Status
        </h2>
        <StatusBadge status={order.status} />
      </div>
      <p className={styles.now} aria-live="polite">
        {describeStatus(order, role)}
      </p>
      {words && <p className={styles.words}>{words}</p>}
      {townWords && <p className={styles.words}>{townWords}</p>}
      <StatusHistory order={order} role={role} />
      <EndOrderActions order={order} role={role} />
      <LeaveOrder order={order} role={role} />
    </section>
  );
}

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
