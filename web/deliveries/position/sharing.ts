import { useSyncExternalStore } from 'react';
import { Unreachable } from '../../../contract/client.ts';
import { readSession } from '../../accounts/session.ts';
import { api } from '../../api.ts';
import { setConsent } from './consent.ts';
import { type GeolocationFailure, isGeolocationAllowed, readLocation, watchLocation } from './geolocation.ts';
import { startPositionSender } from './positionSender.ts';

/** How sharing stands, for the card that says so. */
export type SharingStatus =
  | { readonly state: 'off' | 'looking' | 'asks' | 'takingBack' | GeolocationFailure }
  | { readonly state: 'shared'; readonly at: string };

const OFF: SharingStatus = { state: 'off' };
let sharing: SharingStatus = OFF;
const listeners = new Set<() => void>();
/** Ends what is being shared, and resolves when nothing is on its way any more. */
let stopSharing: () => Promise<void> = async () => undefined;
// A click of this visit is leave to ask; what is only remembered is not.
let mayPrompt = false;

function setSharing(next: SharingStatus): void {
  sharing = next;
  for (const tell of listeners) tell();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export function useSharingStatus(): SharingStatus {
  return useSyncExternalStore(subscribe, () => sharing);
}

/** Tells where the phone is for a delivery on the way, until it is called off. */
export function startSharing(deliveryId: string): () => void {
  let isOver = false;
  let stop = async () => {
    isOver = true;
  };
  stopSharing = () => stop();
  const start = async () => {
    if (!mayPrompt && !(await isGeolocationAllowed())) return isOver ? undefined : setSharing({ state: 'asks' });
    if (isOver) return;
    setSharing({ state: 'looking' });
    const sender = startPositionSender({
      send: (body) => api.sharePosition({ params: { id: deliveryId }, body }),
      onSent: (at) => setSharing({ state: 'shared', at }),
      now: () => performance.now(),
      schedule: (act, ms) => {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
    });
    const unwatch = watchLocation(sender.take, (why) => setSharing({ state: why }));
    stop = async () => {
      unwatch();
      await sender.stop();
    };
  };
  void start();
  return () => {
    void stop();
    if (sharing.state !== 'takingBack') setSharing(OFF);
  };
}

/** The Duber agrees, by a click: the moment at which the browser may ask as well. */
export async function giveConsent(userId: string): Promise<void> {
  mayPrompt = true;
  localStorage.removeItem(pendingRemovalKey(userId));
  setConsent(userId, true);
  if ((await readLocation(60_000, 10_000)) !== 'denied') return;
  setConsent(userId, false);
  setSharing({ state: 'denied' });
}

// Survives a reload: somebody who does not agree any more must not depend on a page that stays open.
const pendingRemovalKey = (userId: string) => `rubadub-take-back-${userId}`;

/** The Duber does not agree any more: nothing is sent from here on, and what was sent is taken back. */
export async function withdrawConsent(userId: string, deliveryId: string): Promise<void> {
  localStorage.setItem(pendingRemovalKey(userId), deliveryId);
  setSharing({ state: 'takingBack' });
  setConsent(userId, false);
  await stopSharing();
  await finishPendingRemoval(userId);
  if (sharing.state === 'takingBack') setSharing(OFF);
}

/** Takes back what could not be taken back when the Duber wanted it, however long that takes; nothing else to do ends it. */
export async function finishPendingRemoval(userId: string): Promise<void> {
  const next = () => localStorage.getItem(pendingRemovalKey(userId));
  for (let deliveryId = next(); deliveryId !== null; deliveryId = next()) {
    if (readSession().user?.id !== userId) return;
    if (await removePosition(deliveryId)) localStorage.removeItem(pendingRemovalKey(userId));
    else await waitForNetwork();
  }
}

// What the server refuses is not there to be taken back; without an answer it may be.
async function removePosition(id: string): Promise<boolean> {
  try {
    await api.forgetPosition({ params: { id } });
    return true;
  } catch (error) {
    return !(error instanceof Unreachable);
  }
}

const RETRY_MS = 10_000;

function waitForNetwork(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, RETRY_MS);
    window.addEventListener('online', go);
  });
}
