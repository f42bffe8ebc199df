import { Link } from 'react-router';
import type { Delivery, DeliveryDetails as Details } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import { FINISHED_STATUSES } from '../../../domain/deliveries.ts';
import { isAgreed, type RelayRole } from '../../handovers/relay.ts';
import { useDistance } from '../../places/useDistance.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatDate, formatMoney, labelOf } from '../../ui/format.ts';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Timeline } from '../../ui/Timeline.tsx';
import styles from '../Card.module.css';
import { DueLine, useDueText } from '../DueLine.tsx';
import { orderPath } from '../paths.ts';
import { describeReason } from '../problemSteps.ts';
import type { QueuedStep } from '../queuedSteps/queuedStepStore.ts';
import { describeDelivery, upcomingStatuses } from '../steps.ts';
import { townWordsOf } from '../townWords.ts';
import { historyLabel } from './historyLabel.ts';

type DeliveryCardProps = { delivery: Delivery; role: Role };

type StatusCardProps = { delivery: Details; waiting: readonly QueuedStep[]; side: RelayRole; isOwn: boolean };

/** The delivery's status, and every step with its time, also those that wait on this device. */
export function DeliveryStatusCard({ delivery, waiting, side, isOwn }: StatusCardProps) {
  const words = townWordsOf(delivery);
  return (
    <section className="card" aria-label="Delivery Status">
      <div className={styles.head}>
        <h2>Delivery Status</h2>
        <StatusBadge status={delivery.status} />
      </div>
      {!FINISHED_STATUSES.includes(delivery.status) && <DueLine delivery={delivery} />}
      <p className={styles.now} aria-live="polite">
        {describeDelivery(delivery, side, isOwn)}
      </p>
      {words && <p className={styles.words}>{words}</p>}
      <Timeline
        steps={historyOf(delivery, waiting)}
        next={side === 'sender' ? [] : upcomingStatuses(delivery.status)}
        label="Delivery status history"
      />
    </section>
  );
}

/** The steps of a delivery, with words for those that were not planned. */
const historyOf = ({ statusHistory }: Details, waiting: readonly QueuedStep[]) =>
  statusHistory.map(({ action, reason = null, ...step }, index) => {
    const isWaiting = waiting.some(({ takenAt }) => takenAt === step.createdAt);
    const said = action && {
      label: historyLabel(action, statusHistory[index - 1]?.action),
      note: describeReason(reason),
    };
    return { ...step, ...(said || {}), ...(isWaiting ? { takenAt: null, note: 'Not sent yet' } : {}) };
  });

export function DeliveryInformation({ delivery, role }: { delivery: Details; role: Role }) {
  const order = orderPath(role, delivery.orderId);
  const due = useDueText(delivery);
  const format = useDistance(isAgreed(delivery, role));
  return (
    <section className="card" aria-label="Delivery Information">
      <h2 className={styles.title}>Delivery Information</h2>
      <DescriptionList>
        <DescriptionItem name="Type">{labelOf(delivery.deliveryType, 'type')}</DescriptionItem>
        {due && <DescriptionItem name="When">{due}</DescriptionItem>}
        <DescriptionItem name="Distance">{format(delivery.distanceInMeters)}</DescriptionItem>
        <DescriptionItem name="Created">
          <time dateTime={delivery.createdAt}>{formatDate(delivery.createdAt)}</time>
        </DescriptionItem>
        <DescriptionItem name="Order ID">
          {order ? <Link to={order}>{delivery.order.number}</Link> : delivery.order.number}
        </DescriptionItem>
      </DescriptionList>
    </section>
  );
}

/** spec 2.8: only a Scrub sees the price of the load, which is what they earn. */
export function OrderInformation({ delivery: { order }, role }: DeliveryCardProps) {
  return (
    <section className="card" aria-label="Order Information">
      <h2 className={styles.title}>Order Information</h2>
      <DescriptionList>
        <DescriptionItem name="Load Size">{loadSizeLabel(order.loadSize)}</DescriptionItem>
        {role === 'Scrub' && order.price && (
          <DescriptionItem name="Order Price">{formatMoney(order.price.loadPrice)}</DescriptionItem>
        )}
        {order.orderInstructions && (
          <DescriptionItem name="Order Instructions" isWide>
            {order.orderInstructions}
          </DescriptionItem>
        )}
      </DescriptionList>
    </section>
  );
}
