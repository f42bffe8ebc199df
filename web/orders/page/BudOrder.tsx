import { useState } from 'react';
import type { DeliveryRoute } from '../../../contract/deliveryRoute.ts';
import type { Order } from '../../../contract/orders.ts';
import type { Position } from '../../../contract/positions.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { ArrivalTime } from '../../deliveries/position/Arrival.tsx';
import { LastSeen } from '../../deliveries/position/LastSeen.tsx';
import { useDriverOnTheWay } from '../../deliveries/position/useDriver.ts';
import { arrivedAt } from '../../deliveries/problemSteps.ts';
import { DeliveryProblems } from '../../deliveries/problems/LazyDeliveryProblems.tsx';
import { townWordsOf } from '../../deliveries/townWords.ts';
import { BudLaundry } from '../../handovers/BudLaundry.tsx';
import { LazyRouteMap, useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { LazyWeighingCard } from '../../weighing/LazyWeighingCard.tsx';
import { changeWordsOf } from '../changes/changeWords.ts';
import { GivenBack, Proposed } from '../changes/OrderChanges.tsx';
import { failureWordsOf } from '../failureWords.ts';
import { arrivalLabel, currentDeliveryOf } from '../live/liveOrder.ts';
import { MissedPromise, OrderTimes } from '../OrderTimes.tsx';
import { StopsBar } from '../StopsBar.tsx';
import styles from './BudOrder.module.css';
import { BudOrderFolds } from './BudOrderFolds.tsx';
import { EndOrderActions } from './EndOrder.tsx';
import { useFocusOnStatusChange } from './OrderDetails.tsx';
import { OrderAgainButton, ReportLink } from './OrderLinks.tsx';
import { ProblemLinks } from './OrderProblems.tsx';
import { newsOf } from './orderNews.ts';
import { budSentences } from './statusText.ts';
import { ThankYou } from './ThankYou.tsx';

const role = 'Bud';

/** spec 2.7: what happens to an order now, and what its Bud can do. Everything else opens on demand. */
export function BudOrder({ order }: { order: Order }) {
  const news = newsOf(order).filter((delivery) => !isAtDoor(delivery));
  return (
    <div className={styles.page}>
      <Now order={order} />
      <GivenBack order={order} role={role} />
      <Proposed order={order} />
      {news.map((delivery) => (
        <DeliveryProblems key={delivery.id} delivery={delivery} role={role} />
      ))}
      <LazyWeighingCard order={order} role={role} />
      <BudOrderFolds order={order} />
    </div>
  );
}

type ShownDelivery = Order['deliveries'][number];

/** Whether a Duber stands at a door, which the sentence of the order says. */
const isAtDoor = (delivery: ShownDelivery) => arrivedAt(delivery) !== undefined;

/** Whether there is, or will be, something to see on the map. */
const hasWay = ({ status, wayHome }: Order) => ORDER_GROUPS[status] !== 'cancelled' || Boolean(wayHome);

/** The map, one sentence, the stops, and one thing to do. Only its contents change while the order goes on. */
function Now({ order }: { order: Order }) {
  const delivery = currentDeliveryOf(order);
  const { position, route } = useDriverOnTheWay(delivery);
  const heading = useFocusOnStatusChange(order.status);
  const atDoor = newsOf(order).find(isAtDoor);
  const isHome = order.status === 'Completed' && order.situation === 'home';
  // Nothing moves on the page of an order that is over, so it needs no space for other sentences.
  const [isOver] = useState(isHome || !hasWay(order));
  return (
    <section className={styles.now} aria-label="Order Status">
      {isHome ? <ThankYou order={order} /> : hasWay(order) && <OrderMap {...{ order, position, route }} />}
      <div className={styles.words}>
        <div className={styles.head}>
          <h2 ref={heading} tabIndex={-1} className={styles.title}>
            Order Status
          </h2>
          <StatusBadge status={order.status} />
        </div>
        {hasWay(order) && <StopsBar order={order} />}
        <div className={isOver ? styles.sentence : `${styles.sentence} ${styles.reserved}`}>
          {atDoor ? (
            <DeliveryProblems delivery={atDoor} role={role} />
          ) : (
            <Sentence order={order} isTimed={Boolean(route?.ahead?.fromMin)} />
          )}
          <OrderTimes order={order} />
          <MissedPromise order={order} role={role} />
          <ArrivalTime route={route} label={arrivalLabel(order)} />
          {delivery && <LastSeen delivery={delivery} position={position} />}
        </div>
        <ReportedWords order={order} />
        <div className={styles.do}>
          <EndOrderActions order={order} />
          <BudLaundry order={order} />
          <ReportLink order={order} />
          <ProblemLinks order={order} />
          {ORDER_GROUPS[order.status] === 'cancelled' && <OrderAgainButton order={order} />}
        </div>
      </div>
    </section>
  );
}

/** What happens, in large letters, and what comes next where all goes as planned and no time says it. */
function Sentence({ order, isTimed }: { order: Order; isTimed: boolean }) {
  const { now, next } = budSentences(order);
  return (
    <>
      <p className={styles.what} aria-live="polite">
        {now}
      </p>
      {next && !isTimed && <p className="quiet">Next: {next}</p>}
    </>
  );
}

/** What people wrote about the present state. */
function ReportedWords({ order }: { order: Order }) {
  const words = [failureWordsOf(order) ?? changeWordsOf(order, 'Bud'), townWordsOf(order)];
  return words.map(
    (one, index) =>
      one && (
        <p key={index} className={styles.reported}>
          {one}
        </p>
      ),
  );
}

type OrderMapProps = { order: Order; position: Position | null; route: DeliveryRoute | undefined };

/** The Bud's and the Scrub's address, and the Duber who is on the way. */
function OrderMap({ order, position, route }: OrderMapProps) {
  const canDraw = useCanDrawMaps();
  const scrubs = order.scrub.addresses[0];
  if (!canDraw || !scrubs) return null;
  return (
    <div className={styles.map}>
      <LazyRouteMap pickup={order.budAddress} drop={scrubs} position={position ?? undefined} route={route} />
    </div>
  );
}
