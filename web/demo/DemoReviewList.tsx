import type { DemoReview } from '../../contract/payments.ts';
import { REVIEW_RULES, type ReviewType } from '../../domain/reviews.ts';
import { Stars } from '../ui/Stars.tsx';
import styles from './DemoReviewList.module.css';

/** 'Bud, about a Scrub'. */
function describeType(type: ReviewType): string {
  const rule = REVIEW_RULES.find((one) => one.type === type);
  return rule ? `${rule.by}, about a ${rule.of}` : '';
}

export function DemoReviewList({ reviews }: { reviews: readonly DemoReview[] }) {
  return (
    <section className={styles.section} aria-labelledby="reviews">
      <h2 id="reviews">What people write</h2>
      <p className={styles.lead}>
        <strong className={styles.mark}>Demo</strong> These people are made up. Their orders and reviews belong to this
        demo.
      </p>
      <ul className={styles.reviews}>
        {reviews.map(({ type, author, rating, message }) => (
          <li key={type}>
            <figure className={styles.review}>
              <Stars rating={rating} />
              <blockquote>{message}</blockquote>
              <figcaption>
                <strong>{author}</strong>, {describeType(type)}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}
