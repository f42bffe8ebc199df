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
import { EarningBreakdown } from '../../payments/PriceBreakdown.tsx';
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
import { currentDeliveryOf } from '../live/liveOrder.ts';
import { isGivenBackBy, isGivenBackByTown } from '../orderChanges.ts';
import { useOrder } from '../useOrder.ts';
import { BudOrder } from './BudOrder.tsx';
import { NextStep } from './NextStep.tsx';
import { OrderDeliveries } from './OrderDeliveries.tsx';
import { JobStatusCard, ServiceDetails } from './OrderDetails.tsx';
import styles from './OrderPage.module.css';
import { isOpenOrder, newsOf } from './orderNews.ts';

const SCRUB = 'Scrub';

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
    return <QueryError query={asked} level={1} title="Unable To Get Order Details" text="Nothing has changed." />;
  return (
    <>
      <PageHeader
        title={title}
        back={back}
        subtitle={asked.data ? subtitleOf(asked.data, role) : <Skeleton width={220} />}
      >
        <RefreshButton onRefresh={() => void asked.refetch()} isRefreshing={asked.isFetching} />
      </PageHeader>
      {asked.data && role === 'Bud' && <BudOrder order={asked.data} />}
      {asked.data && role === 'Scrub' && <Job order={asked.data} />}
      {!asked.data && <SkeletonColumns label={`Loading ${title}`} className={styles.page} columns={SKELETON_COLUMNS} />}
    </>
  );
}

const subtitleOf = (order: Order, role: OrderRole) =>
  role === 'Bud'
    ? `Order ${order.number} with ${order.scrub.fullname}`
    : `Job ${order.number} for ${order.bud.fullname}`;

/** A job, for its Scrub. */
function Job({ order }: { order: Order }) {
  // The active delivery comes first.
  const isMapFirst = order.deliveries.some(isUnderWay);
  // Its key keeps the same map when it moves up.
  const map = (
    <div key="map" className={isMapFirst ? styles.hero : styles.map}>
      <PickupAndDropMap order={order} />
    </div>
  );
  const news = newsOf(order).map((delivery) => <DeliveryProblems key={delivery.id} delivery={delivery} role={SCRUB} />);
  const isWeightFirst = useIsWeighingDue(order, 'Scrub');
  // The key keeps what was typed when it moves.
  const weight = <LazyWeighingCard key="weight" order={order} role={SCRUB} />;
  return (
    <div className={styles.page}>
      {isMapFirst && <div className={styles.news}>{news}</div>}
      {isMapFirst && map}
      <div className={styles.main}>
        {!isMapFirst && news}
        {isWeightFirst && weight}
        <JobStatusCard order={order} />
        {!isWeightFirst && weight}
        <JobReviews order={order} />
        <ServiceDetails order={order} role={SCRUB} />
        <OrderDeliveries order={order} role={SCRUB} />
      </div>
      {!isMapFirst && map}
      <div className={styles.side}>
        <LaundryCard order={order} />
        <PersonCard title="Customer" person={order.bud} />
        <EarningCard order={order} />
      </div>
      <div className={styles.next}>
        <NextStep order={order} role={SCRUB} />
      </div>
    </div>
  );
}

/** What the Scrub earns. */
function EarningCard({ order }: { order: Order }) {
  return (
    <section className="card" aria-label="Earning">
      <h2 className={cards.title}>Earning</h2>
      <EarningBreakdown order={order} price={order.price} />
      {(ORDER_GROUPS[order.status] === 'cancelled' || isGivenBackBy(order, 'Scrub')) && (
        <p className={cards.note}>Not earned</p>
      )}
      <TakenBack orderId={order.id} className={cards.note} />
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
  const text = delivery && arrivalText(delivery, 'Scrub', isPlaceholderData ? undefined : custody?.holder.id);
  return (
    <MapCard
      title="Pickup & Drop Locations"
      pickup={{ label: 'Customer', address: from.address || undefined, point: from }}
      drop={{ label: 'Your address', address: to?.address || undefined, point: to }}
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

/** The reviews of both sides, once the job is completed. */
function JobReviews({ order }: { order: Order }) {
  if (order.status !== 'Completed') return null;
  const own = order.reviews.filter((review) => review.deliveryId === null);
  const theirs = own.find((review) => review.type === 'Bud_To_Scrub');
  const subject = { id: order.id, status: order.status, reviews: own };
  return (
    <div className={cards.reviews}>
      <ReviewCard authorRole="Scrub" targetRole="Bud" subject={subject} targetId={order.budId} />
      <ReviewDisplay title="Bud Review" review={theirs} />
    </div>
  );
}
