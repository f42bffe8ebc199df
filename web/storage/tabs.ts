import { SCOPE } from './scope.ts';

/** Where the tabs of this browser notify each other; undefined where there is none: in a build, or where the browser refuses it. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return typeof document === 'undefined' ? undefined : new BroadcastChannel(name + SCOPE);
  } catch {
    return undefined;
  }
}

/** The name of a lock that only the tabs of the same person ask for. */
export const lockNameOf = (name: string): string => name + SCOPE;

/**
 * Runs `act` in one tab at a time. Locks exist only in secure contexts, and browsers that block storage refuse them: each tab then
 * acts by itself.
 */
export async function withTabLock(name: string, options: LockOptions, act: LockAct): Promise<void> {
  let hasBegun = false;
  const begin: LockAct = (lock) => {
    hasBegun = true;
    return act(lock);
  };
  try {
    if (navigator.locks) return await navigator.locks.request(lockNameOf(name), options, begin);
  } catch (error) {
    if (hasBegun || options.signal?.aborted) throw error;
  }
  await act({ name, mode: 'exclusive' });
}

type LockAct = (lock: Pick<Lock, 'name' | 'mode'> | null) => Promise<void>;
