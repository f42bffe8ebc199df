import { useRef, useState } from 'react';
import type { Order } from '../../../contract/orders.ts';
import type { Review } from '../../../contract/reviews.ts';
import { mayReview, RATING_FROM, RATING_TO, type ReviewType } from '../../../domain/reviews.ts';
import { reportableOf } from '../../cases/reportTime.ts';
import { ConfirmBags } from '../../handovers/BudLaundry.tsx';
import { LazyReviewDialog, preloadReviewDialog } from '../../reviews/LazyReviewDialog.tsx';
import { ReviewDisplay } from '../../reviews/ReviewCard.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { OrderAgainButton } from './OrderLinks.tsx';
import { reviewLineOf } from './statusText.ts';
import styles from './ThankYou.module.css';

/** At home, in the place of the map: stars for the Scrub and for the Duber who brought it, the bags, and the next order. */
export function ThankYou({ order }: { order: Order }) {
  const back = order.deliveries.findLast(
    ({ deliveryType, status }) => deliveryType === 'Scrub_To_Bud' && status === 'Delivered',
  );
  const ofOrder = order.reviews.filter(({ deliveryId }) => deliveryId === null);
  const ofBack = order.reviews.filter(({ deliveryId }) => deliveryId === back?.id);
  return (
    <section className={styles.thanks} aria-label="Home again">
      <h2>Home again. How was it?</h2>
      {reviewLineOf(order) && <p className="quiet">{reviewLineOf(order)}</p>}
      <StarsFor
        type="Bud_To_Scrub"
        person={{ id: order.scrubId, name: order.scrub.fullname, did: 'Your Scrub' }}
        subject={{ id: order.id, status: order.status, reviews: ofOrder }}
      />
      {back?.duber && (
        <StarsFor
          type="Bud_To_Duber"
          person={{ id: back.duberId ?? '', name: back.duber.fullname, did: 'Brought it back' }}
          subject={{ id: back.id, status: back.status, reviews: ofBack }}
        />
      )}
      {reportableOf(order, new Date()).kinds.length > 0 && <ConfirmBags order={order} />}
      <OrderAgainButton order={order} />
    </section>
  );
}

const STARS = Array.from({ length: RATING_TO - RATING_FROM + 1 }, (_, index) => RATING_FROM + index);

type StarsForProps = {
  readonly type: ReviewType & `Bud_To_${string}`;
  readonly person: { readonly id: string; readonly name: string; readonly did: string };
  readonly subject: { readonly id: string; readonly status: string; readonly reviews: readonly Review[] };
};

/** One tap gives the stars; the words are asked for after it. A review that was written shows instead. */
function StarsFor({ type, person, subject }: StarsForProps) {
  const [rating, setRating] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<Review>();
  const row = useRef<HTMLDivElement>(null);
  const target = type === 'Bud_To_Scrub' ? 'Scrub' : 'Duber';
  const written = subject.reviews.find((review) => review.type === type) ?? sent;
  if (!written && !mayReview('Bud', target, subject)) return null;
  const finish = (review: Review) => {
    setSent(review);
    // The focused star disappears with the others.
    row.current?.focus();
  };
  return (
    <div ref={row} tabIndex={-1} className={styles.row}>
      <p>
        <strong>
          <PersonName name={person.name} />
        </strong>{' '}
        <span className="quiet">{person.did}</span>
      </p>
      {written && target === 'Scrub' && <ReviewDisplay title="Your Review" review={written} isCard={false} />}
      {written && target === 'Duber' && <Stars rating={written.rating} />}
      {!written && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as a form, and these are buttons
        <div role="group" aria-label={`Stars for ${person.name}`} className={styles.stars}>
          {STARS.map((star) => (
            <button
              key={star}
              type="button"
              className={star <= rating ? `${styles.star} ${styles.full}` : styles.star}
              aria-label={star === 1 ? '1 star' : `${star} stars`}
              aria-haspopup="dialog"
              onPointerEnter={preloadReviewDialog}
              onFocus={preloadReviewDialog}
              onClick={() => {
                setRating(star);
                setOpen(true);
              }}
            >
              <Icon name="star" size={32} strokeWidth={1.5} />
            </button>
          ))}
        </div>
      )}
      <LazyReviewDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        type={type}
        subjectId={subject.id}
        targetId={person.id}
        rating={rating}
        onDone={finish}
      />
    </div>
  );
}
