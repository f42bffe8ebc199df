export const OFFLINE_DATABASE = 'rubadub-seen';

/** Deletes the offline cache of this device, at the end of a session. */
export function clearOfflineCache(): void {
  try {
    indexedDB.deleteDatabase(OFFLINE_DATABASE);
  } catch {
    // A browser without IndexedDB has no cache.
  }
}
