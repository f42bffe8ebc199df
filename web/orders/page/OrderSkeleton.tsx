import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from '../OrderPage.module.css';

const CARD_HEIGHTS = { main: [280, 180, 300], side: [120, 220] } as const;

export function OrderSkeleton({ label }: { label: string }) {
  return (
    <div className={styles.page} role="status" aria-label={label}>
      {Object.entries(CARD_HEIGHTS).map(([column, heights]) => (
        <div key={column} className={styles[column]}>
          {heights.map((height) => (
            <div key={height} className="card" style={{ height, display: 'grid', alignContent: 'start', gap: 16 }}>
              <Skeleton width="40%" height={20} />
              <Skeleton width="85%" />
              <Skeleton width="60%" />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
