import { Icon } from './icons.tsx';
import styles from './Stars.module.css';

const FIVE = [1, 2, 3, 4, 5] as const;

/** A rating of 1 to 5 in stars, with '(n/5)' beside it. */
export function Stars({ rating, size = 18 }: { rating: number; size?: number }) {
  return (
    <span className={styles.stars}>
      {FIVE.map((star) => (
        <Icon key={star} name="star" size={size} className={star <= Math.round(rating) ? styles.full : styles.none} />
      ))}
      <span className={styles.words}>({rating}/5)</span>
    </span>
  );
}
