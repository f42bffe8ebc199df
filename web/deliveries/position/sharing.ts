import { useSyncExternalStore } from 'react';
import { api } from '../../api.ts';
import { setAgreed } from './consent.ts';
import { findPhone, isAllowed, type NoPlace, watchPhone } from './phone.ts';
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
    void end();
    become(OFF);
  };
}

/** The Duber agrees, by a click: the moment at which the browser may ask as well. */
export async function agree(userId: string): Promise<void> {
  wasAskedFor = true;
  const place = await findPhone(60_000, 10_000);
  if (place === 'denied') return become({ state: 'denied' });
  setAgreed(userId, true);
}

/** The Duber does not agree any more: nothing is sent from here on, and what was sent is taken back. */
export async function withdraw(userId: string, deliveryId: string): Promise<void> {
  setAgreed(userId, false);
  await end();
  become({ state: 'takingBack' });
  while (!(await takeBack(deliveryId))) await online();
  become(OFF);
}

// What the server refuses is not there to be taken back; without an answer it may be.
async function takeBack(id: string): Promise<boolean> {
  try {
    await api.forgetPosition({ params: { id } });
    return true;
  } catch (error) {
    return !(error instanceof Error && error.name === 'Unreachable');
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
