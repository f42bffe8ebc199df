import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

export const readLocalStorage = (key: string): string | null => localStorage.getItem(key);

/** Stores a value, or removes it when it is null, and updates every component that reads it. */
export function writeLocalStorage(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
  for (const notify of listeners) notify();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  window.addEventListener('storage', onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener('storage', onChange);
  };
}

/** A value from local storage, kept up to date with changes in this tab and others. */
export function useLocalStorage(key: string): string | null {
  return useSyncExternalStore(subscribe, () => readLocalStorage(key));
}
