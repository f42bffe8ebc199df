import type { Delivery } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import type { ReviewType } from '../../../domain/reviews.ts';
import { ReviewCard, ReviewContent } from '../../reviews/ReviewCard.tsx';
import { useUser } from '../../session/session.ts';
import styles from '../Card.module.css';

/** The viewer's review of the driver; for the driver, the reviews of both sides. */
export function DeliveryReviews({ delivery, role }: { delivery: Delivery; role: Role }) {
  const user = useUser();
  // An order has two deliveries, each with its own reviews.
  const reviews = delivery.order.reviews.filter((review) => review.deliveryId === delivery.id);
  const subject = { id: delivery.id, status: delivery.status, reviews };
  if (role !== 'Duber')
    return <ReviewCard authorRole={role} targetRole="Duber" subject={subject} targetId={delivery.duberId} />;
  if (delivery.duberId !== user.id) return null;
  const of = (type: ReviewType) => reviews.find((review) => review.type === type);
  return (
    <section className="card" aria-label="Reviews Received">
      <h2 className={styles.title}>Reviews Received</h2>
      <div className={styles.two}>
        <div>
          <h3>Scrub Review</h3>
          <ReviewContent review={of('Scrub_To_Duber')} />
        </div>
        <div>
          <h3>Bud Review</h3>
          <ReviewContent review={of('Bud_To_Duber')} />
        </div>
      </div>
    </section>
  );
}
