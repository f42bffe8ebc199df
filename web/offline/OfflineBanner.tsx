import { useSyncExternalStore } from 'react';
import { queryClient } from '../queryClient.ts';
import { formatDate } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './OfflineBanner.module.css';
import { useOffline } from './useOffline.ts';

/** Says that nothing here is new, and how old it is. */
export function OfflineBanner() {
  const isOffline = useOffline();
  return <div role="status">{isOffline && <OfflineMessage />}</div>;
}

function OfflineMessage() {
  const cache = queryClient.getQueryCache();
  const seenAt = useSyncExternalStore((changed) => cache.subscribe(changed), oldestShownAt);
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

const SCREEN_QUERY_KINDS = ['orders', 'deliveries', 'dashboards', 'earnings', 'profile'];

/** When the oldest of what is on the screen was answered. */
function oldestShownAt(): number | undefined {
  const shown = queryClient.getQueryCache().findAll({ type: 'active' });
  const times = shown
    .filter(({ queryKey, state }) => SCREEN_QUERY_KINDS.includes(String(queryKey[0])) && state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt);
  return times.length > 0 ? Math.min(...times) : undefined;
}
