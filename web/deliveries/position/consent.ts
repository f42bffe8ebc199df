import { useStored, writeStored } from '../../storage/stores.ts';

// Per user: somebody else who signs in on this device has not agreed.
const consentKeyOf = (userId: string) => `rubadub-share-position-${userId}`;

export function setConsent(userId: string, isAgreed: boolean): void {
  writeStored(consentKeyOf(userId), isAgreed ? 'on' : null);
}

/** Whether a Duber agreed, on this device, to share their position. */
export function useConsent(userId: string): boolean {
  return useStored(consentKeyOf(userId)) === 'on';
}

// Only the last delivery is remembered: a Duber has one at a time.
const declinedKeyOf = (userId: string) => `rubadub-share-position-declined-${userId}`;

/** The Duber does not want to share their position on this delivery, or their browser refuses: they are not asked again. */
export function declinePositionPrompt(userId: string, deliveryId: string): void {
  writeStored(declinedKeyOf(userId), deliveryId);
}

export function useHasDeclined(userId: string, deliveryId: string): boolean {
  return useStored(declinedKeyOf(userId)) === deliveryId;
}
