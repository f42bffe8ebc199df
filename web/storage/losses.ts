import { useSyncExternalStore } from 'react';
import { TOWN_NAME } from '../town.ts';

/** What this browser does not keep: the sign-in, what somebody types and chooses, or what opens without a network. */
export type Loss = 'session' | 'values' | 'offline';

let losses: ReadonlySet<Loss> = new Set();
const listeners = new Set<() => void>();

/** Says that the browser refused to keep something, or that it keeps it again. */
export function setLoss(loss: Loss, isLost: boolean): void {
  if (losses.has(loss) === isLost) return;
  losses = new Set(isLost ? [...losses, loss] : [...losses].filter((one) => one !== loss));
  for (const notify of listeners) notify();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

export const readLosses = (): ReadonlySet<Loss> => losses;

export const useLosses = (): ReadonlySet<Loss> => useSyncExternalStore(subscribe, readLosses, readLosses);

/** One line that says what is lost; undefined when the browser keeps everything. */
export function describeLosses(lost: ReadonlySet<Loss>): string | undefined {
  const atReload = [
    ...(lost.has('session') ? ['you are signed out'] : []),
    ...(lost.has('values') ? ['what you typed and chose here is lost'] : []),
  ];
  const consequences = [
    ...(atReload.length > 0 ? [`when you close or reload this page, ${atReload.join(' and ')}`] : []),
    ...(lost.has('offline') ? ['nothing opens without a network'] : []),
  ];
  if (consequences.length === 0) return undefined;
  return `Your browser’s storage is full or blocked. ${TOWN_NAME} works, but ${consequences.join(', and ')}.`;
}
