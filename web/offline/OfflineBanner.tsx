import { useSyncExternalStore } from 'react';
import { queryClient } from '../queryClient.ts';
import { Banner } from '../ui/Banner.tsx';
import { formatDate } from '../ui/format.ts';
import { useOffline } from './useOffline.ts';

/** Says that the device is offline and how old the data on the screen is. */
export function OfflineBanner() {
  const isOffline = useOffline();
  return <div role="status">{isOffline && <OfflineMessage />}</div>;
}

function OfflineMessage() {
  const cache = queryClient.getQueryCache();
  const updatedAt = useSyncExternalStore((onChange) => cache.subscribe(onChange), getOldestUpdate);
  return (
    <Banner>
      {updatedAt === undefined
        ? 'You are offline. You have not opened this page on this device before.'
        : `You are offline. Last updated ${formatDate(new Date(updatedAt).toISOString())}.`}
    </Banner>
  );
}

const SCREEN_QUERY_KINDS = ['orders', 'deliveries', 'dashboards', 'earnings', 'profile'];

/** When the oldest data on the screen was fetched. */
function getOldestUpdate(): number | undefined {
  const activeQueries = queryClient.getQueryCache().findAll({ type: 'active' });
  const times = activeQueries
    .filter(({ queryKey, state }) => SCREEN_QUERY_KINDS.includes(String(queryKey[0])) && state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt);
  return times.length > 0 ? Math.min(...times) : undefined;
}
