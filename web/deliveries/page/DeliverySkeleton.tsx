import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from '../DeliveryPage.module.css';

const CARD_HEIGHTS = { main: [220, 320, 140], side: [160, 140] } as const;

export function DeliverySkeleton() {
  return (
    <div className={styles.columns} role="status" aria-label="Loading delivery">
      {Object.entries(CARD_HEIGHTS).map(([column, heights]) => (
        <div key={column} className={styles.column}>
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
