import { useSyncExternalStore } from 'react';

// By person: somebody else who signs in on this device has agreed to nothing.
const keyOf = (userId: string) => `rubadub-share-position-${userId}`;
const listeners = new Set<() => void>();

export function hasAgreed(userId: string): boolean {
  return localStorage.getItem(keyOf(userId)) === 'on';
}

export function setAgreed(userId: string, isAgreed: boolean): void {
  if (isAgreed) localStorage.setItem(keyOf(userId), 'on');
  else localStorage.removeItem(keyOf(userId));
  for (const tell of listeners) tell();
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', changed);
  };
}

/** Whether a Duber agreed, on this device, to be seen on the way. */
export function useAgreed(userId: string): boolean {
  return useSyncExternalStore(listen, () => hasAgreed(userId));
}
