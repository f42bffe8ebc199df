import { Icon } from './icons.tsx';
import styles from './Stars.module.css';

const STARS = [1, 2, 3, 4, 5] as const;

/** How much of a star is full: nothing, half or all of it. */
const fillOf = (rating: number, star: number) => Math.min(1, Math.max(0, Math.round((rating - star + 1) * 2) / 2));

/** A rating from 1 to 5 as stars and halves of stars, followed by '(n/5)'. */
export function Stars({ rating, size = 18 }: { rating: number; size?: number }) {
  return (
    <span className={styles.stars}>
      {STARS.map((star) => (
        <Star key={star} fill={fillOf(rating, star)} size={size} />
      ))}
      <span className={styles.text}>({rating}/5)</span>
    </span>
  );
}

function Star({ fill, size }: { fill: number; size: number }) {
  if (fill !== 0.5) return <Icon name="star" size={size} className={fill === 1 ? styles.full : styles.empty} />;
  return (
    <span className={styles.half} data-half>
      <Icon name="star" size={size} className={styles.empty} />
      <Icon name="star" size={size} className={styles.full} />
    </span>
  );
}
