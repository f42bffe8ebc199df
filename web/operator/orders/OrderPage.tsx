import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { CallFailed } from '../../../contract/callClient.ts';
import type { TownDelivery, TownOrder } from '../../../contract/operator/orders.ts';
import { CopyId } from '../../ui/CopyId.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { NotFound } from '../../ui/ErrorState.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { formatMoney, labelOf } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { AuditRows } from '../audit/AuditPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { UnloadedPage } from '../UnloadedPage.tsx';
import { useTownTime } from '../useTownDay.ts';
import { OrderMoney } from './OrderMoney.tsx';
import { OrderNow } from './OrderNow.tsx';
import styles from './OrderPage.module.css';
import { OrderTimeline } from './OrderTimeline.tsx';
import { OrderWhere } from './OrderWhere.tsx';

const REFETCH_MS = 5_000;
/** What became of the credit of a missed promise. */
const MISSED_TEXTS = {
  owed: 'paid once it is certain who had the laundry then',
  paid: 'paid to the card',
  kept: 'not paid: it was back in time after all',
  unpaid: 'not paid',
} as const;
const UNPAID_TEXTS = {
  'with-bud': 'the Bud still had the laundry',
  'late-pickup': 'the laundry left the Bud later than agreed',
  'not-home': 'a Duber stood at the door of the Bud in time',
  cancelled: 'the order was cancelled',
  'nothing-left': 'nothing is left of the payment, or of what the town keeps',
} as const;
const BACK = { to: '/operator/orders', label: 'Orders' };

/** An order: what is happening and what can be done now, where the laundry is, what happened, and the money. */
export function OrderPage() {
  const { id = '' } = useParams();
  const order = useQuery({
    queryKey: ['order', id],
    queryFn: ({ signal }) => operatorApi.readTownOrder({ params: { id } }, { signal }),
    refetchInterval: REFETCH_MS,
  });
  if (order.data) return <Order order={order.data} />;
  const isUnknown = order.error instanceof CallFailed && [400, 404].includes(order.error.statusCode);
  if (isUnknown) return <NotFound title="There is no such order" to="/operator/orders" label="All Orders" />;
  return <UnloadedPage what="order" title="Order" back={BACK} query={order} />;
}

function Order({ order }: { order: TownOrder }) {
  const { number, status, placedAt, audit } = order;
  const townTime = useTownTime();
  return (
    <>
      <PageHeader
        title={number}
        back={BACK}
        subtitle={
          <>
            <StatusBadge status={status} /> placed {townTime(placedAt)}
          </>
        }
      />
      <div className={styles.columns}>
        <div className={styles.column}>
          <OrderNow order={order} />
          <OrderTimeline order={order} />
        </div>
        <div className={styles.column}>
          <OrderWhere order={order} />
          <OrderMoney order={order} />
          <Fold title="Laundry and deliveries" aside={order.size}>
            <Details order={order} />
          </Fold>
        </div>
      </div>
      <Fold title="What operators did" aside={audit.length}>
        {audit.length === 0 ? <p className="quiet">No entries yet</p> : <AuditRows rows={audit} />}
      </Fold>
    </>
  );
}

function Details({ order }: { order: TownOrder }) {
  const { id, size, ceilingSize, weighings, instructions, leaveAtDoor, round, deliveries } = order;
  const townTime = useTownTime();
  const isWeighed = ceilingSize !== null && ceilingSize !== size;
  return (
    <DescriptionList isColumn>
      <DescriptionItem name="Laundry">
        {size}
        {isWeighed && `, up to ${ceilingSize}`}
        {leaveAtDoor && ', may stand at the door'}
        {round > 1 && `, round ${round}`} <CopyId id={id} label="order id" />
      </DescriptionItem>
      {weighings.map(({ at, pounds, by }) => (
        <DescriptionItem key={at} name="Weighed">
          {pounds} lbs by {by.fullname}, {townTime(at)}
        </DescriptionItem>
      ))}
      {order.times && (
        <DescriptionItem name="Times">
          Pickup {townTime(order.times.pickup.from)}, promised to be back by {townTime(order.times.promisedAt)}
        </DescriptionItem>
      )}
      {order.missedPromise && (
        <DescriptionItem name="Missed promise">
          {formatMoney(order.missedPromise.amount)}, {MISSED_TEXTS[order.missedPromise.state]}
          {order.missedPromise.reason && `: ${UNPAID_TEXTS[order.missedPromise.reason]}`}
          {order.missedPromise.holder && `. Then the ${order.missedPromise.holder} had the laundry`}
          {`. Promised by ${townTime(order.missedPromise.promisedAt)}, `}
          {order.missedPromise.backAt ? `back ${townTime(order.missedPromise.backAt)}` : 'not back yet'}
        </DescriptionItem>
      )}
      {instructions && <DescriptionItem name="Instructions">{instructions}</DescriptionItem>}
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
    </DescriptionList>
  );
}

function Delivery({ delivery: { id, type, status, duber, attempt, round, price } }: { delivery: TownDelivery }) {
  const counts = [attempt > 1 && `attempt ${attempt}`, round > 1 && `round ${round}`].filter(Boolean);
  return (
    <DescriptionItem name={`Delivery ${labelOf(type, 'type')}`}>
      {[labelOf(status), duber?.fullname ?? 'no Duber', formatMoney(price), ...counts].join(', ')}{' '}
      <CopyId id={id} label="delivery id" />
    </DescriptionItem>
  );
}
