import { useSyncExternalStore } from 'react';
import { Unreachable } from '../../../contract/callClient.ts';
import { api } from '../../api/client.ts';
import { readSession } from '../../api/currentSession.ts';
import {
  type GeolocationFailure,
  isGeolocationAllowed,
  readLocation,
  watchLocation,
} from '../../places/geolocation.ts';
import { readStored, writeStored } from '../../storage/stores.ts';
import { declinePositionPrompt, setConsent } from './consent.ts';
import { startPositionSender } from './positionSender.ts';

/** The state of sharing, for the card that shows it. */
export type SharingStatus =
  | { readonly state: 'off' | 'looking' | 'asks' | 'takingBack' | GeolocationFailure }
  | { readonly state: 'shared'; readonly at: string };

const OFF: SharingStatus = { state: 'off' };
let sharing: SharingStatus = OFF;
const listeners = new Set<() => void>();
/** Stops sharing, and resolves when no request is in flight. */
let stopSharing: () => Promise<void> = async () => undefined;
/** Starts what waits for a click. */
let resumeSharing: () => Promise<void> = async () => undefined;
// Only a click in this visit may trigger the browser's permission prompt; stored consent may not.
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

/** Shares the phone's position for a delivery until the returned function is called. A refusal of the browser declines. */
export function startSharing(userId: string, deliveryId: string): () => void {
  let isOver = false;
  let stop = async () => {
    isOver = true;
  };
  stopSharing = () => stop();
  const start = async () => {
    if (!mayPrompt && !(await isGeolocationAllowed())) {
      resumeSharing = () => (isOver ? Promise.resolve() : start());
      return isOver ? undefined : setSharing({ state: 'asks' });
    }
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
    const unwatch = watchLocation(sender.take, (why) =>
      why === 'denied' ? declineSharing(userId, deliveryId) : setSharing({ state: why }),
    );
    stop = async () => {
      unwatch();
      await sender.stop();
    };
  };
  void start();
  return () => {
    void stop();
    // The browser's refusal stays on the screen: it ends the consent, which ends this.
    if (sharing.state !== 'takingBack' && sharing.state !== 'denied') setSharing(OFF);
  };
}

/** The Duber agrees with a click, which may also trigger the browser's permission prompt. A refusal there declines. */
export async function giveConsent(userId: string, deliveryId: string): Promise<void> {
  mayPrompt = true;
  // They may have allowed it since.
  if (sharing.state === 'denied') setSharing(OFF);
  writeStored(pendingRemovalKey(userId), null);
  setConsent(userId, true);
  // Consent that was stored in an earlier visit has started the sharing already.
  if (sharing.state === 'asks') void resumeSharing();
  if ((await readLocation(60_000, 10_000)) === 'denied') declineSharing(userId, deliveryId);
}

/** The browser refuses. It may do so although it has just given a position: one that it still had. */
function declineSharing(userId: string, deliveryId: string): void {
  declinePositionPrompt(userId, deliveryId);
  setConsent(userId, false);
  setSharing({ state: 'denied' });
}

// Survives a reload: withdrawing consent must not depend on the page staying open.
const pendingRemovalKey = (userId: string) => `rubadub-take-back-${userId}`;

/** The Duber withdraws consent: nothing more is sent, and the last position is deleted. */
export async function withdrawConsent(userId: string, deliveryId: string): Promise<void> {
  writeStored(pendingRemovalKey(userId), deliveryId);
  setSharing({ state: 'takingBack' });
  setConsent(userId, false);
  await stopSharing();
  await finishPendingRemoval(userId);
  if (sharing.state === 'takingBack') setSharing(OFF);
}

/** Deletes the positions that could not be deleted when consent was withdrawn, with retries until done. */
export async function finishPendingRemoval(userId: string): Promise<void> {
  const next = () => readStored(pendingRemovalKey(userId));
  for (let deliveryId = next(); deliveryId !== null; deliveryId = next()) {
    if (readSession().user?.id !== userId) return;
    if (await removePosition(deliveryId)) writeStored(pendingRemovalKey(userId), null);
    else await waitForNetwork();
  }
}

// If the server refuses, there is nothing to delete. Without an answer there may be.
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
