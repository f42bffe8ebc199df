import { Bone } from '../../ui/Skeleton.tsx';
import styles from '../OrderPage.module.css';

const CARDS = { main: [280, 180, 300], side: [120, 220] } as const;

export function OrderSkeleton({ label }: { label: string }) {
  return (
    <div className={styles.page} role="status" aria-label={label}>
      {Object.entries(CARDS).map(([column, heights]) => (
        <div key={column} className={styles[column]}>
          {heights.map((height) => (
            <div key={height} className="card" style={{ height, display: 'grid', alignContent: 'start', gap: 16 }}>
              <Bone width="40%" height={20} />
              <Bone width="85%" />
              <Bone width="60%" />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
