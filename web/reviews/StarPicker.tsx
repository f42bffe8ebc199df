import { RATING_FROM, RATING_TO } from '../../domain/reviews.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './StarPicker.module.css';

const STARS = Array.from({ length: RATING_TO - RATING_FROM + 1 }, (_, index) => RATING_FROM + index);
const RATING_LABELS: Record<number, string> = { 1: 'Poor', 2: 'Fair', 3: 'Good', 4: 'Very good', 5: 'Excellent' };

/** One to five stars as radios; 0 means none chosen. */
export function StarPicker({
  value,
  error,
  onChange,
}: {
  value: number;
  error: string | undefined;
  onChange: (rating: number) => void;
}) {
  return (
    <fieldset className={styles.picker} aria-describedby={error ? 'rating-error' : undefined}>
      <legend className={styles.legend}>Rating</legend>
      <div className={styles.row}>
        {STARS.map((star) => (
          <span key={star} className={`${styles.star} ${star <= value ? styles.full : ''}`}>
            <input
              type="radio"
              name="rating"
              value={star}
              checked={star === value}
              aria-label={star === 1 ? '1 star' : `${star} stars`}
              aria-invalid={error ? true : undefined}
              onChange={() => onChange(star)}
            />
            <Icon name="star" size={32} strokeWidth={1.5} />
          </span>
        ))}
        <span className={styles.word} aria-hidden="true">
          {RATING_LABELS[value]}
        </span>
      </div>
      {error && (
        <p id="rating-error" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
