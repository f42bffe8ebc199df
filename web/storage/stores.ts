import { useSyncExternalStore } from 'react';
import { setLoss } from './losses.ts';
import { SCOPE } from './scope.ts';

/** Values by name. One that the browser refuses to keep is there until the page is closed or reloaded. */
type Store = {
  readonly read: (key: string) => string | null;
  /** Keeps a value, or removes it when it is null. */
  readonly write: (key: string, value: string | null) => void;
};

/** What the browser refused to keep, of both stores. */
const refused: ReadonlyMap<string, string | null>[] = [];

/** `find` throws where the browser blocks the storage altogether. */
function createStore(find: () => Storage): Store {
  const memory = new Map<string, string | null>();
  refused.push(memory);
  const store = (key: string, value: string | null) => {
    if (value === null) find().removeItem(key + SCOPE);
    else find().setItem(key + SCOPE, value);
  };
  const isStored = (key: string, value: string | null) => {
    try {
      store(key, value);
      return true;
    } catch {
      return false;
    }
  };
  return {
    read: (key) => {
      const held = memory.get(key);
      if (held !== undefined) return held;
      try {
        return find().getItem(key + SCOPE);
      } catch {
        return null;
      }
    },
    write: (key, value) => {
      if (isStored(key, value)) memory.delete(key);
      else {
        memory.set(key, value);
        // The value before must not be back at the next visit.
        isStored(key, null);
      }
      setLoss(
        'values',
        refused.some((values) => [...values.values()].some((held) => held !== null)),
      );
    },
  };
}

/** Of this tab: survives a reload. */
export const tabStore = createStore(() => sessionStorage);

const localStore = createStore(() => localStorage);
const listeners = new Set<() => void>();

/** A value of this browser, which all its tabs share. */
export const readStored = localStore.read;

/** Keeps a value for all tabs, or removes it when it is null, and updates every component that reads it. */
export function writeStored(key: string, value: string | null): void {
  localStore.write(key, value);
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

/** A value of this browser, kept up to date with changes in this tab and others. */
export const useStored = (key: string): string | null => useSyncExternalStore(subscribe, () => readStored(key));
