import type { Order } from '../../../contract/orders.ts';
import { ReviewCard, ReviewDisplay } from '../../reviews/ReviewCard.tsx';
import styles from '../Card.module.css';
import { reviewLineOf } from './statusText.ts';

type OrderRole = 'Bud' | 'Scrub';

/** The reviews of both sides, once the order is completed. */
export function OrderReviews({ order, role }: { order: Order; role: OrderRole }) {
  if (order.status !== 'Completed') return null;
  const other = role === 'Bud' ? 'Scrub' : 'Bud';
  const own = order.reviews.filter((review) => review.deliveryId === null);
  const theirs = own.find((review) => review.type === (role === 'Bud' ? 'Scrub_To_Bud' : 'Bud_To_Scrub'));
  const subject = { id: order.id, status: order.status, reviews: own };
  return (
    <div className={styles.reviews}>
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
