export const SEEN = 'rubadub-seen';

/** Forgets on this device what somebody has seen: with their session it ends here. */
export function forgetSeen(): void {
  try {
    indexedDB.deleteDatabase(SEEN);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
