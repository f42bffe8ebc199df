import { Icon } from './icons.tsx';
import styles from './Stars.module.css';

const STARS = [1, 2, 3, 4, 5] as const;

/** A rating from 1 to 5 as stars, followed by '(n/5)'. */
export function Stars({ rating, size = 18 }: { rating: number; size?: number }) {
  return (
    <span className={styles.stars}>
      {STARS.map((star) => (
        <Icon key={star} name="star" size={size} className={star <= Math.round(rating) ? styles.full : styles.empty} />
      ))}
      <span className={styles.text}>({rating}/5)</span>
    </span>
  );
}
