import { useParams } from 'react-router';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { distanceInMeters } from '../../../domain/places.ts';
import { ArrivalHeadline } from '../../deliveries/position/Arrival.tsx';
import { arrivalText, isUnderWay } from '../../deliveries/position/arrivalText.ts';
import { LastSeen } from '../../deliveries/position/LastSeen.tsx';
import { useDriverOnTheWay } from '../../deliveries/position/useDriver.ts';
import { DeliveryProblems } from '../../deliveries/problems/DeliveryProblems.tsx';
import { LaundryCard } from '../../handovers/LaundryCard.tsx';
import { isRelayed } from '../../handovers/situation.ts';
import { useCustody } from '../../handovers/useCustody.ts';
import { PriceBreakdown } from '../../payments/PriceBreakdown.tsx';
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
import { JobContent } from './JobContent.tsx';
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
  title: isGivenBackByTown(order) ? 'This Job Went to Another Scrub' : 'You Gave This Job Back',
  text: 'You have nothing left to do here.',
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
        role === 'Scrub' ? (
          <JobContent order={asked.data} />
        ) : (
          <BudOrder order={asked.data} />
        )
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

function BudOrder({ order }: { order: Order }) {
  const role = 'Bud';
  // The active delivery comes first.
  const isMapFirst = order.deliveries.some(isUnderWay);
  // Its key keeps the same map when it moves up.
  const map = (
    <div key="map" className={isMapFirst ? styles.hero : styles.map}>
      <PickupAndDropMap order={order} />
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
        <OrderStatusCard order={order} />
        {!isWeightFirst && weight}
        <OrderReviews order={order} />
        <ServiceDetails order={order} role={role} />
        <OrderDeliveries order={order} role={role} />
      </div>
      {!isMapFirst && map}
      <div className={styles.side}>
        <LaundryCard order={order} role={role} />
        <PersonCard title="Service Provider" person={order.scrub} emptyText="Waiting for scrub assignment..." />
        <PriceCard order={order} />
        <OrderLinks order={order} />
      </div>
    </div>
  );
}

/** What the Bud pays, and what became of it when the order was cancelled or rejected. */
function PriceCard({ order }: { order: Order }) {
  return (
    <section className="card" aria-label="Price Breakdown">
      <h2 className={cards.title}>Price Breakdown</h2>
      <PriceBreakdown order={order} price={order.price} promo={order.promo} />
      {ORDER_GROUPS[order.status] === 'cancelled' && <p className={cards.note}>{calledOffText(order)}</p>}
      <GivenBackByProblems order={order} />
    </section>
  );
}

/** The map with the Bud's and the Scrub's address. */
function PickupAndDropMap({ order }: { order: Order }) {
  const from = order.budAddress;
  const to = order.scrub.addresses[0];
  const delivery = currentDeliveryOf(order) ?? order.deliveries[0];
  const { position, route } = useDriverOnTheWay(delivery);
  const isWaiting = delivery !== undefined && isRelayed(delivery);
  const { data: custody, isPlaceholderData } = useCustody(order, isWaiting);
  const text = delivery && arrivalText(delivery, 'Bud', isPlaceholderData ? undefined : custody?.holder.id);
  return (
    <MapCard
      title="Pickup & Drop Locations"
      pickup={{ label: 'Your address', address: from.address || undefined, point: from }}
      drop={{ label: 'Service Provider', address: to?.address || undefined, point: to }}
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
function OrderReviews({ order }: { order: Order }) {
  if (order.status !== 'Completed') return null;
  const own = order.reviews.filter((review) => review.deliveryId === null);
  const theirs = own.find((review) => review.type === 'Scrub_To_Bud');
  const subject = { id: order.id, status: order.status, reviews: own };
  return (
    <div className={cards.reviews}>
      <ReviewCard
        authorRole="Bud"
        targetRole="Scrub"
        subject={subject}
        targetId={order.scrubId}
        line={reviewLineOf(order)}
      />
      <ReviewDisplay title="Scrub Review" review={theirs} />
    </div>
  );
}
