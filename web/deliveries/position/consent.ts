import { useLocalStorage, writeLocalStorage } from '../../hooks/useLocalStorage.ts';

// Per user: somebody else who signs in on this device has not agreed.
const consentKeyOf = (userId: string) => `rubadub-share-position-${userId}`;

export function setConsent(userId: string, isAgreed: boolean): void {
  writeLocalStorage(consentKeyOf(userId), isAgreed ? 'on' : null);
}

/** Whether a Duber agreed, on this device, to share their position. */
export function useConsent(userId: string): boolean {
  return useLocalStorage(consentKeyOf(userId)) === 'on';
}
