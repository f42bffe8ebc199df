import { useParams } from 'react-router';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { distanceInMeters } from '../../../domain/places.ts';
import { TakenBack } from '../../cases/TakenBack.tsx';
import { ArrivalHeadline } from '../../deliveries/position/Arrival.tsx';
import { arrivalText, isUnderWay } from '../../deliveries/position/arrivalText.ts';
import { LastSeen } from '../../deliveries/position/LastSeen.tsx';
import { useDriverOnTheWay } from '../../deliveries/position/useDriver.ts';
import { DeliveryProblems } from '../../deliveries/problems/DeliveryProblems.tsx';
import { LaundryCard } from '../../handovers/LaundryCard.tsx';
import { isRelayed } from '../../handovers/situation.ts';
import { useCustody } from '../../handovers/useCustody.ts';
import { EarningBreakdown, PriceBreakdown } from '../../payments/PriceBreakdown.tsx';
import { MapCard } from '../../places/MapCard.tsx';
import { ReviewCard, ReviewDisplay } from '../../reviews/ReviewCard.tsx';
import { NotFound, QueryError } from '../../ui/ErrorState.tsx';
import { isNotFound } from '../../ui/errorMessage.ts';
import { PageHeader, usePageTitle } from '../../ui/PageHeader.tsx';
import { PersonCard } from '../../ui/PersonCard.tsx';
import { RefreshButton } from '../../ui/RefreshButton.tsx';
import { Skeleton, SkeletonColumns } from '../../ui/Skeleton.tsx';
import { LazyWeighingCard } from '../../weighing/LazyWeighingCard.tsx';
import { useIsWeighingDue } from '../../weighing/useWeighing.ts';
import cards from '../Card.module.css';
import { GivenBack } from '../changes/OrderChanges.tsx';
import { currentDeliveryOf } from '../live/liveOrder.ts';
import { isGivenBackBy, isGivenBackByTown } from '../orderChanges.ts';
import { calledOffText } from '../refund.ts';
import { useOrder } from '../useOrder.ts';
import { NextStep } from './NextStep.tsx';
import { OrderDeliveries } from './OrderDeliveries.tsx';
import { OrderStatusCard, ServiceDetails } from './OrderDetails.tsx';
import { OrderLinks } from './OrderLinks.tsx';
import styles from './OrderPage.module.css';
import { GivenBackByProblems } from './OrderProblems.tsx';
import { reviewLineOf } from './statusText.ts';

const SKELETON_COLUMNS = [
  { className: styles.main, heights: [280, 180, 300] },
  { className: styles.side, heights: [120, 220] },
];

type OrderRole = 'Bud' | 'Scrub';

const TEXTS = {
  Bud: { title: 'Order Details', back: { to: '/bud/orders', label: 'Back to Orders' } },
  Scrub: { title: 'Job Details', back: { to: '/scrub/jobs', label: 'Back to Jobs' } },
} as const satisfies Record<OrderRole, object>;

/** A Scrub reads a job no longer once another Scrub is asked. */
const givenBackTexts = (order: Order) => ({
  title: isGivenBackByTown(order) ? 'This Job Went To Somebody Else' : 'You Gave This Job Back',
  text: 'There is nothing left to do for you.',
});

/** spec 2.7 and 2.8: an order for its Bud, or a job for its Scrub. */
export function OrderPage({ role }: { role: OrderRole }) {
  const { orderId = '' } = useParams();
  const asked = useOrder(orderId);
  const { title, back } = TEXTS[role];
  usePageTitle(title);
  if (isNotFound(asked.error))
    return (
      <NotFound
        {...(asked.data && isGivenBackBy(asked.data, role) ? givenBackTexts(asked.data) : { title: 'Order Not Found' })}
        {...back}
      />
    );
  if (!asked.data && asked.isError)
    return (
      <QueryError
        query={asked}
        level={1}
        title="Unable To Get Order Details"
        text="Nothing has changed. Check your connection."
      />
    );
  return (
    <>
      <PageHeader
        title={title}
        back={back}
        subtitle={asked.data ? subtitleOf(asked.data, role) : <Skeleton width={220} />}
      >
        <RefreshButton onRefresh={() => void asked.refetch()} isRefreshing={asked.isFetching} />
      </PageHeader>
      {asked.data ? (
        <OrderContent order={asked.data} role={role} />
      ) : (
        <SkeletonColumns label={`Loading ${title}`} className={styles.page} columns={SKELETON_COLUMNS} />
      )}
    </>
  );
}

const subtitleOf = (order: Order, role: OrderRole) =>
  role === 'Bud'
    ? `Order ${order.number} with ${order.scrub.fullname}`
    : `Job ${order.number} for ${order.bud.fullname}`;

/** The deliveries of the present round that show a notice. */
const newsOf = ({ deliveries, status, round }: Order) =>
  isOpenOrder(status) ? deliveries.filter((delivery) => delivery.round === round) : [];
const isOpenOrder = (status: Order['status']) =>
  status === 'Accepted' || status === 'In_Progress' || status === 'Completed';

function OrderContent({ order, role }: { order: Order; role: OrderRole }) {
  // The active delivery comes first.
  const isMapFirst = order.deliveries.some(isUnderWay);
  // Its key keeps the same map when it moves up.
  const map = (
    <div key="map" className={isMapFirst ? styles.hero : styles.map}>
      <PickupAndDropMap order={order} role={role} />
    </div>
  );
  const news = newsOf(order).map((delivery) => <DeliveryProblems key={delivery.id} delivery={delivery} role={role} />);
  const isWeightFirst = useIsWeighingDue(order, role);
  // The key keeps what was typed when it moves.
  const weight = <LazyWeighingCard key="weight" order={order} role={role} />;
  return (
    <div className={styles.page}>
      {isMapFirst && <div className={styles.news}>{news}</div>}
      {isMapFirst && map}
      <div className={styles.main}>
        <GivenBack order={order} role={role} />
        {!isMapFirst && news}
        {isWeightFirst && weight}
        <OrderStatusCard order={order} role={role} />
        {!isWeightFirst && weight}
        <OrderReviews order={order} role={role} />
        <ServiceDetails order={order} role={role} />
        <OrderDeliveries order={order} role={role} />
      </div>
      {!isMapFirst && map}
      <div className={styles.side}>
        <LaundryCard order={order} role={role} />
        {role === 'Bud' ? (
          <PersonCard title="Service Provider" person={order.scrub} emptyText="Waiting for scrub assignment..." />
        ) : (
          <PersonCard title="Customer" person={order.bud} />
        )}
        <AmountsCard order={order} role={role} />
        {role === 'Bud' && <OrderLinks order={order} />}
      </div>
      <div className={styles.next}>
        <NextStep order={order} role={role} />
      </div>
    </div>
  );
}

/** What became of the amounts of an order that was cancelled or rejected. */
const CALLED_OFF_TEXTS: Record<OrderRole, (order: Order) => string> = {
  Bud: calledOffText,
  Scrub: () => 'Not earned',
};

/** What the Bud pays, or what the Scrub earns. */
function AmountsCard({ order, role }: { order: Order; role: OrderRole }) {
  const title = role === 'Bud' ? 'Price Breakdown' : 'Earning';
  return (
    <section className="card" aria-label={title}>
      <h2 className={cards.title}>{title}</h2>
      {role === 'Bud' ? (
        <PriceBreakdown order={order} price={order.price} promo={order.promo} />
      ) : (
        <EarningBreakdown order={order} price={order.price} />
      )}
      {(ORDER_GROUPS[order.status] === 'cancelled' || isGivenBackBy(order, role)) && (
        <p className={cards.note}>{CALLED_OFF_TEXTS[role](order)}</p>
      )}
      {role === 'Bud' ? <GivenBackByProblems order={order} /> : <TakenBack orderId={order.id} className={cards.note} />}
    </section>
  );
}

/** The map with the Bud's and the Scrub's address. */
function PickupAndDropMap({ order, role }: { order: Order; role: OrderRole }) {
  const from = order.budAddress;
  const to = order.scrub.addresses[0];
  const delivery = currentDeliveryOf(order) ?? order.deliveries[0];
  const { position, route } = useDriverOnTheWay(delivery);
  const isWaiting = delivery !== undefined && isRelayed(delivery);
  const { data: custody, isPlaceholderData } = useCustody(order, isWaiting);
  const text = delivery && arrivalText(delivery, role, isPlaceholderData ? undefined : custody?.holder.id);
  return (
    <MapCard
      title="Pickup & Drop Locations"
      pickup={{ label: role === 'Bud' ? 'Your address' : 'Customer', address: from.address || undefined, point: from }}
      drop={{
        label: role === 'Bud' ? 'Service Provider' : 'Your address',
        address: to?.address || undefined,
        point: to,
      }}
      {...(to ? { distanceInMeters: distanceInMeters(from, to) } : {})}
      isAgreed={isOpenOrder(order.status)}
      position={position ?? undefined}
      route={route}
      headline={text && <ArrivalHeadline text={text} route={route} />}
    >
      {delivery && <LastSeen delivery={delivery} position={position} />}
    </MapCard>
  );
}

/** The reviews of both sides, once the order is completed. */
function OrderReviews({ order, role }: { order: Order; role: OrderRole }) {
  if (order.status !== 'Completed') return null;
  const other = role === 'Bud' ? 'Scrub' : 'Bud';
  const own = order.reviews.filter((review) => review.deliveryId === null);
  const theirs = own.find((review) => review.type === (role === 'Bud' ? 'Scrub_To_Bud' : 'Bud_To_Scrub'));
  const subject = { id: order.id, status: order.status, reviews: own };
  return (
    <div className={cards.reviews}>
      <ReviewCard
        authorRole={role}
        targetRole={other}
        subject={subject}
        targetId={role === 'Bud' ? order.scrubId : order.budId}
        line={role === 'Bud' ? reviewLineOf(order) : undefined}
      />
      <ReviewDisplay title={role === 'Bud' ? 'Scrub Review' : 'Bud Review'} review={theirs} />
    </div>
  );
}
