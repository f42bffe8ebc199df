import type { User } from '../../contract/accounts.ts';
import { restoreOfflineCache, startOfflineCache } from './offlineCache.ts';

/** Prepares for a time without a network: the worker keeps the app, and the device what this person has seen. */
export function prepareOffline(user: User): () => void {
  registerServiceWorker();
  const stop = startOfflineCache(user);
  // What was seen an hour ago is no longer in memory.
  const recall = () => void restoreOfflineCache().catch(() => undefined);
  window.addEventListener('offline', recall);
  return () => {
    stop();
    window.removeEventListener('offline', recall);
  };
}

function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
}
