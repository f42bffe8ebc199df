import styles from './StopsBar.module.css';
import { reachedStop, type StoppingOrder, stopNamesOf } from './stops.ts';

/** The five stops of an order: those that it has reached, and those to come. */
export function StopsBar({ order }: { order: StoppingOrder }) {
  const reached = reachedStop(order);
  return (
    <ol className={styles.bar} aria-label="Progress">
      {stopNamesOf(order).map((name, index) => (
        <li
          key={index}
          className={index < reached ? styles.done : index === reached ? styles.current : undefined}
          aria-current={index === reached ? 'step' : undefined}
        >
          <span className={styles.name}>{name}</span>
          <span className="sr-only">{index < reached ? ' (done)' : index > reached ? ' (still to come)' : ''}</span>
        </li>
      ))}
    </ol>
  );
}
