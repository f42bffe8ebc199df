import type { User } from '../../contract/accounts.ts';
import { queryClient } from '../api/queryClient.ts';
import { notificationsQuery } from '../notifications/notificationsQuery.ts';
import { renewPush } from '../notifications/pushSubscription.ts';
import { restoreOfflineCache, startOfflineCache } from '../offline/offlineCache.ts';

/** Prepares for offline use: the service worker caches the app, and the device caches what this user has seen. */
export function prepareOffline(user: User): () => void {
  registerServiceWorker();
  void renewPushOf(user).catch(() => undefined);
  const stop = startOfflineCache(user);
  // Queries that are not on the screen leave the memory after a while.
  const restore = () => void restoreOfflineCache().catch(() => undefined);
  window.addEventListener('offline', restore);
  return () => {
    stop();
    window.removeEventListener('offline', restore);
  };
}

/** The profile, if it shows, then says what is true. */
async function renewPushOf({ id }: User): Promise<void> {
  if (!(await renewPush(id))) return;
  await queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
}

function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
}
