import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/** What this device keeps under a name, on which its screens depend. */
export const readLocalStorage = (name: string): string | null => localStorage.getItem(name);

/** Keeps a word under a name, or nothing any more, and tells every screen that shows it, in other tabs too. */
export function writeLocalStorage(name: string, word: string | null): void {
  if (word === null) localStorage.removeItem(name);
  else localStorage.setItem(name, word);
  for (const tell of listeners) tell();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', changed);
  };
}

export function useLocalStorage(name: string): string | null {
  return useSyncExternalStore(subscribe, () => readLocalStorage(name));
}
