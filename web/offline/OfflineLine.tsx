import { useSyncExternalStore } from 'react';
import { queries } from '../queries.ts';
import { formatDate } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './OfflineLine.module.css';
import { useOffline } from './useOffline.ts';

/** Says that nothing here is new, and how old it is. */
export function OfflineLine() {
  const isOffline = useOffline();
  return <div role="status">{isOffline && <Words />}</div>;
}

function Words() {
  const cache = queries.getQueryCache();
  const seenAt = useSyncExternalStore((changed) => cache.subscribe(changed), oldestShown);
  return (
    <p className={styles.line}>
      <Icon name="info" />
      <span>
        You are offline.{' '}
        {seenAt === undefined
          ? 'Nothing of this page was seen before.'
          : `This is what was last seen, ${formatDate(new Date(seenAt).toISOString())}.`}
      </span>
    </p>
  );
}

const OF_SCREENS = ['orders', 'deliveries', 'dashboards', 'earnings', 'profile'];

/** When the oldest of what is on the screen was answered. */
function oldestShown(): number | undefined {
  const shown = queries.getQueryCache().findAll({ type: 'active' });
  const times = shown
    .filter(({ queryKey, state }) => OF_SCREENS.includes(String(queryKey[0])) && state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt);
  return times.length > 0 ? Math.min(...times) : undefined;
}
