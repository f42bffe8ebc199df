import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { distanceInMeters } from '../../../domain/places.ts';
import { useConfig } from '../../api/config.ts';
import { HandedOverPhotos } from '../../handovers/BudLaundry.tsx';
import { PriceBreakdown } from '../../payments/PriceBreakdown.tsx';
import { useDistance } from '../../places/useDistance.ts';
import { ReviewCard, ReviewDisplay } from '../../reviews/ReviewCard.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { formatMoney } from '../../ui/format.ts';
import { PersonCard } from '../../ui/PersonCard.tsx';
import cards from '../Card.module.css';
import { LeaveOrder, MoveTime } from '../changes/OrderChanges.tsx';
import { calledOffText } from '../refund.ts';
import styles from './BudOrder.module.css';
import { OrderDeliveries } from './OrderDeliveries.tsx';
import { ServiceDetails, StatusHistory } from './OrderDetails.tsx';
import { GivenBackByProblems } from './OrderProblems.tsx';
import { isOpenOrder } from './orderNews.ts';
import { budSentences, describeStatus, reviewLineOf } from './statusText.ts';

const role = 'Bud';

/** Everything of an order that its Bud does not need now. */
export function BudOrderFolds({ order }: { order: Order }) {
  return (
    <div className={styles.folds}>
      <MoveTime order={order} />
      <Fold title="Details" looks="row">
        <Details order={order} />
      </Fold>
      <Fold title="Money" looks="row" aside={formatMoney(order.price.totalPrice)}>
        <Money order={order} />
      </Fold>
      <Fold title="Help" looks="row">
        <Help order={order} />
      </Fold>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className={cards.title}>{title}</h2>
      {children}
    </section>
  );
}

function Details({ order }: { order: Order }) {
  return (
    <div className={styles.parts}>
      <Part title="Status History">
        {budSentences(order).next && <p className={cards.now}>{describeStatus(order, role)}</p>}
        <StatusHistory order={order} role={role} />
      </Part>
      <ServiceDetails order={order} role={role} />
      <Places order={order} />
      <PersonCard title="Service Provider" person={order.scrub} emptyText="Waiting for scrub assignment..." />
      <OrderDeliveries order={order} role={role} />
      <HandedOverPhotos order={order} />
      <Reviews order={order} />
    </div>
  );
}

function Places({ order }: { order: Order }) {
  const format = useDistance(isOpenOrder(order.status));
  const scrubs = order.scrub.addresses[0];
  return (
    <Part title="Pickup & Drop Locations">
      <DescriptionList>
        <DescriptionItem name="Your address">{order.budAddress.address || 'No address provided'}</DescriptionItem>
        <DescriptionItem name="Service Provider">{scrubs?.address || 'No address provided'}</DescriptionItem>
        {scrubs && (
          <DescriptionItem name="Distance">{format(distanceInMeters(order.budAddress, scrubs))}</DescriptionItem>
        )}
      </DescriptionList>
    </Part>
  );
}

/** Before the laundry is home, its Bud can already review the Scrub (spec 4.3). Then the page asks for it. */
function Reviews({ order }: { order: Order }) {
  if (order.status !== 'Completed') return null;
  const own = order.reviews.filter((review) => review.deliveryId === null);
  return (
    <div className={cards.reviews}>
      {order.situation !== 'home' && (
        <ReviewCard
          authorRole="Bud"
          targetRole="Scrub"
          subject={{ id: order.id, status: order.status, reviews: own }}
          targetId={order.scrubId}
          line={reviewLineOf(order)}
        />
      )}
      <ReviewDisplay title="Scrub Review" review={own.find((review) => review.type === 'Scrub_To_Bud')} />
    </div>
  );
}

function Money({ order }: { order: Order }) {
  return (
    <Part title="Price Breakdown">
      <PriceBreakdown order={order} price={order.price} promo={order.promo} />
      {ORDER_GROUPS[order.status] === 'cancelled' && <p className={cards.note}>{calledOffText(order)}</p>}
      <GivenBackByProblems order={order} />
      <Link className={styles.link} to={`/bud/orders/${order.id}/receipt`}>
        Receipt
      </Link>
    </Part>
  );
}

function Help({ order }: { order: Order }) {
  const email = useConfig()?.supportEmail;
  return (
    <>
      <p>
        Something is not right? {email ? <a href={`mailto:${email}`}>Write to us</a> : 'Write to us'}, and name order{' '}
        {order.number}.
      </p>
      <LeaveOrder order={order} role={role} />
    </>
  );
}
