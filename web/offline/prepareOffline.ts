import type { User } from '../../contract/accounts.ts';
import { restoreOfflineCache, startOfflineCache } from './offlineCache.ts';

/** Prepares for offline use: the service worker caches the app, and the device caches what this user has seen. */
export function prepareOffline(user: User): () => void {
  registerServiceWorker();
  const stop = startOfflineCache(user);
  // Queries that are not on the screen leave the memory after a while.
  const restore = () => void restoreOfflineCache().catch(() => undefined);
  window.addEventListener('offline', restore);
  return () => {
    stop();
    window.removeEventListener('offline', restore);
  };
}

function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
}
