import { useLocalStorage, writeLocalStorage } from '../../hooks/useLocalStorage.ts';

// By person: somebody else who signs in on this device has agreed to nothing.
const consentKeyOf = (userId: string) => `rubadub-share-position-${userId}`;

export function setConsent(userId: string, isAgreed: boolean): void {
  writeLocalStorage(consentKeyOf(userId), isAgreed ? 'on' : null);
}

/** Whether a Duber agreed, on this device, to be seen on the way. */
export function useConsent(userId: string): boolean {
  return useLocalStorage(consentKeyOf(userId)) === 'on';
}
