export const OFFLINE_DATABASE = 'rubadub-seen';

/** Forgets on this device what somebody has seen: with their session it ends here. */
export function clearOfflineCache(): void {
  try {
    indexedDB.deleteDatabase(OFFLINE_DATABASE);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
