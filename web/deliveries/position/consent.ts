import { keep, useKept } from '../../hooks/useLocalStorage.ts';

// By person: somebody else who signs in on this device has agreed to nothing.
const nameOf = (userId: string) => `rubadub-share-position-${userId}`;

export function setAgreed(userId: string, isAgreed: boolean): void {
  keep(nameOf(userId), isAgreed ? 'on' : null);
}

/** Whether a Duber agreed, on this device, to be seen on the way. */
export function useAgreed(userId: string): boolean {
  return useKept(nameOf(userId)) === 'on';
}
