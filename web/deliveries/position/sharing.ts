import { useSyncExternalStore } from 'react';
import { Unreachable } from '../../../contract/client.ts';
import { readSession } from '../../accounts/session.ts';
import { api } from '../../api.ts';
import { setAgreed } from './consent.ts';
import { findPhone, isAllowed, type NoPlace, watchPhone } from './geolocation.ts';
import { startSender } from './sender.ts';

/** How sharing stands, for the card that says so. */
export type Sharing =
  | { readonly state: 'off' | 'looking' | 'asks' | 'takingBack' | NoPlace }
  | { readonly state: 'shared'; readonly at: string };

const OFF: Sharing = { state: 'off' };
let sharing: Sharing = OFF;
const listeners = new Set<() => void>();
/** Ends what is being shared, and resolves when nothing is on its way any more. */
let end: () => Promise<void> = async () => undefined;
// A click of this visit is leave to ask; what is only remembered is not.
let wasAskedFor = false;

function become(next: Sharing): void {
  sharing = next;
  for (const tell of listeners) tell();
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export function useSharing(): Sharing {
  return useSyncExternalStore(listen, () => sharing);
}

/** Tells where the phone is for a delivery on the way, until it is called off. */
export function shareFor(deliveryId: string): () => void {
  let isOver = false;
  let stop = async () => {
    isOver = true;
  };
  end = () => stop();
  const start = async () => {
    if (!wasAskedFor && !(await isAllowed())) return isOver ? undefined : become({ state: 'asks' });
    if (isOver) return;
    become({ state: 'looking' });
    const sender = startSender({
      send: (body) => api.sharePosition({ params: { id: deliveryId }, body }),
      onSent: (at) => become({ state: 'shared', at }),
      now: () => performance.now(),
      later: (act, ms) => {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
    });
    const unwatch = watchPhone(sender.take, (why) => become({ state: why }));
    stop = async () => {
      unwatch();
      await sender.stop();
    };
  };
  void start();
  return () => {
    void stop();
    if (sharing.state !== 'takingBack') become(OFF);
  };
}

/** The Duber agrees, by a click: the moment at which the browser may ask as well. */
export async function agree(userId: string): Promise<void> {
  wasAskedFor = true;
  localStorage.removeItem(toTakeBack(userId));
  setAgreed(userId, true);
  if ((await findPhone(60_000, 10_000)) !== 'denied') return;
  setAgreed(userId, false);
  become({ state: 'denied' });
}

// Survives a reload: somebody who does not agree any more must not depend on a page that stays open.
const toTakeBack = (userId: string) => `rubadub-take-back-${userId}`;

/** The Duber does not agree any more: nothing is sent from here on, and what was sent is taken back. */
export async function withdraw(userId: string, deliveryId: string): Promise<void> {
  localStorage.setItem(toTakeBack(userId), deliveryId);
  become({ state: 'takingBack' });
  setAgreed(userId, false);
  await end();
  await finishTakingBack(userId);
  if (sharing.state === 'takingBack') become(OFF);
}

/** Takes back what could not be taken back when the Duber wanted it, however long that takes; nothing else to do ends it. */
export async function finishTakingBack(userId: string): Promise<void> {
  const next = () => localStorage.getItem(toTakeBack(userId));
  for (let deliveryId = next(); deliveryId !== null; deliveryId = next()) {
    if (readSession().user?.id !== userId) return;
    if (await takeBack(deliveryId)) localStorage.removeItem(toTakeBack(userId));
    else await online();
  }
}

// What the server refuses is not there to be taken back; without an answer it may be.
async function takeBack(id: string): Promise<boolean> {
  try {
    await api.forgetPosition({ params: { id } });
    return true;
  } catch (error) {
    return !(error instanceof Unreachable);
  }
}

const TRY_AGAIN_MS = 10_000;

function online(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, TRY_AGAIN_MS);
    window.addEventListener('online', go);
  });
}
