import type { Order } from '../../../contract/orders.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { distanceInMeters } from '../../../domain/places.ts';
import { TakenBack } from '../../cases/TakenBack.tsx';
import { ArrivalHeadline } from '../../deliveries/position/Arrival.tsx';
import { arrivalText, isUnderWay } from '../../deliveries/position/arrivalText.ts';
import { LastSeen } from '../../deliveries/position/LastSeen.tsx';
import { useDriverOnTheWay } from '../../deliveries/position/useDriver.ts';
import { DeliveryProblems } from '../../deliveries/problems/LazyDeliveryProblems.tsx';
import { townWordsOf } from '../../deliveries/townWords.ts';
import { LaundryCard } from '../../handovers/LaundryCard.tsx';
import { isRelayed } from '../../handovers/situation.ts';
import { useCustody } from '../../handovers/useCustody.ts';
import { EarningBreakdown } from '../../payments/PriceBreakdown.tsx';
import { MapCard } from '../../places/MapCard.tsx';
import { ReviewCard, ReviewDisplay } from '../../reviews/ReviewCard.tsx';
import { PersonCard } from '../../ui/PersonCard.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { LazyWeighingCard } from '../../weighing/LazyWeighingCard.tsx';
import { useIsWeighingDue } from '../../weighing/useWeighing.ts';
import cards from '../Card.module.css';
import { changeWordsOf } from '../changes/changeWords.ts';
import { LeaveOrder, ProposeTime } from '../changes/OrderChanges.tsx';
import { failureWordsOf } from '../failureWords.ts';
import { JobDue } from '../job/JobDue.tsx';
import { JobNextStep } from '../job/JobNextStep.tsx';
import { currentDeliveryOf } from '../live/liveOrder.ts';
import { MissedPromise, OrderTimes } from '../OrderTimes.tsx';
import { isGivenBackBy } from '../orderChanges.ts';
import styles from './JobContent.module.css';
import { OrderDeliveries } from './OrderDeliveries.tsx';
import { ServiceDetails, StatusHistory, useFocusOnStatusChange } from './OrderDetails.tsx';
import pages from './OrderPage.module.css';
import { isOpenOrder, newsOf } from './orderNews.ts';
import { describeStatus } from './statusText.ts';

const SCRUB = 'Scrub';

/** A job, for its Scrub: what is asked for and where the laundry is first. */
export function JobContent({ order }: { order: Order }) {
  // The active delivery comes first.
  const isMapFirst = order.deliveries.some(isUnderWay);
  // Its key keeps the same map when it moves up.
  const map = (
    <div key="map" className={isMapFirst ? pages.hero : pages.map}>
      <JobMap order={order} />
    </div>
  );
  const news = newsOf(order).map((delivery) => <DeliveryProblems key={delivery.id} delivery={delivery} role={SCRUB} />);
  const isWeightFirst = useIsWeighingDue(order, SCRUB);
  // The key keeps what was typed when it moves.
  const weight = <LazyWeighingCard key="weight" order={order} role={SCRUB} />;
  return (
    <div className={pages.page}>
      <div className={pages.news}>
        <Instructions order={order} />
        {isMapFirst && news}
      </div>
      {isMapFirst && map}
      <div className={pages.main}>
        {!isMapFirst && news}
        {isWeightFirst && weight}
        <JobStatusCard order={order} />
        {!isWeightFirst && weight}
        <JobReviews order={order} />
        <ServiceDetails order={order} role={SCRUB} />
        <OrderDeliveries order={order} role={SCRUB} />
      </div>
      {!isMapFirst && map}
      <div className={pages.side}>
        <LaundryCard order={order} />
        <PersonCard title="Customer" person={order.bud} />
        <EarningCard order={order} />
      </div>
      <div className={pages.next}>
        <JobNextStep order={order} />
      </div>
    </div>
  );
}

/** What the Bud asks for, until the laundry is done. */
function Instructions({ order }: { order: Order }) {
  if (!order.orderInstructions || order.status === 'Completed') return null;
  return (
    <section className={styles.instructions} aria-label="What the customer asks for">
      “{order.orderInstructions}”
    </section>
  );
}

/** The status as a sentence, and its history. */
function JobStatusCard({ order }: { order: Order }) {
  const heading = useFocusOnStatusChange(order.status);
  const words = failureWordsOf(order) ?? changeWordsOf(order, SCRUB);
  const townWords = townWordsOf(order);
  return (
    <section className="card" aria-label="Job Status">
      <div className={cards.head}>
        <h2 ref={heading} tabIndex={-1}>
          Job Status
        </h2>
        <StatusBadge status={order.status} />
      </div>
      <p className={cards.now} aria-live="polite">
        {describeStatus(order, SCRUB)}
      </p>
      <OrderTimes order={order} className={cards.due} />
      <MissedPromise order={order} role={SCRUB} className={cards.due} />
      <JobDue job={order} className={cards.due} />
      {words && <p className={cards.words}>{words}</p>}
      {townWords && <p className={cards.words}>{townWords}</p>}
      <StatusHistory order={order} role={SCRUB} />
      <ProposeTime order={order} />
      <LeaveOrder order={order} role={SCRUB} />
    </section>
  );
}

/** What the Scrub earns. */
function EarningCard({ order }: { order: Order }) {
  return (
    <section className="card" aria-label="Earning">
      <h2 className={cards.title}>Earning</h2>
      <EarningBreakdown order={order} price={order.price} />
      {(ORDER_GROUPS[order.status] === 'cancelled' || isGivenBackBy(order, SCRUB)) && (
        <p className={cards.note}>Not earned</p>
      )}
      <TakenBack orderId={order.id} className={cards.note} />
    </section>
  );
}

/** The map with the Bud's and the Scrub's address. */
function JobMap({ order }: { order: Order }) {
  const from = order.budAddress;
  const to = order.scrub.addresses[0];
  const delivery = currentDeliveryOf(order) ?? order.deliveries[0];
  const { position, route } = useDriverOnTheWay(delivery);
  const isWaiting = delivery !== undefined && isRelayed(delivery);
  const { data: custody, isPlaceholderData } = useCustody(order, isWaiting);
  const text = delivery && arrivalText(delivery, SCRUB, isPlaceholderData ? undefined : custody?.holder.id);
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
      <ReviewCard authorRole={SCRUB} targetRole="Bud" subject={subject} targetId={order.budId} />
      <ReviewDisplay title="Bud Review" review={theirs} />
    </div>
  );
}
