import { useSyncExternalStore } from 'react';
import { queryClient } from '../api/queryClient.ts';
import { useOffline } from '../hooks/useOffline.ts';
import { Banner } from '../ui/Banner.tsx';
import { formatDate } from '../ui/format.ts';

/** Says that the device is offline and how old the data on the screen is. */
export function OfflineBanner() {
  const isOffline = useOffline();
  return <div role="status">{isOffline && <OfflineMessage />}</div>;
}

function OfflineMessage() {
  const cache = queryClient.getQueryCache();
  const updatedAt = useSyncExternalStore((onChange) => cache.subscribe(onChange), getOldestUpdate);
  return <Banner>{describeOffline(updatedAt)}</Banner>;
}

const SCREEN_QUERY_KINDS = ['orders', 'deliveries', 'dashboards', 'earnings', 'profile'];

/** When the data on the screen was fetched: `none` where the page needs none, undefined where it is missing. */
export function describeOffline(updatedAt: number | 'none' | undefined): string {
  if (updatedAt === 'none') return 'You are offline.';
  return updatedAt === undefined
    ? 'You are offline. You have not opened this page on this device before.'
    : `You are offline. Last updated ${formatDate(new Date(updatedAt).toISOString())}.`;
}

/** When the oldest data on the screen was fetched. */
function getOldestUpdate(): number | 'none' | undefined {
  const shown = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ queryKey }) => SCREEN_QUERY_KINDS.includes(String(queryKey[0])));
  if (shown.length === 0) return 'none';
  const times = shown.filter(({ state }) => state.data !== undefined).map(({ state }) => state.dataUpdatedAt);
  return times.length > 0 ? Math.min(...times) : undefined;
}
