import { EVENTS_PATH } from '../../contract/call.ts';
import type { LiveEvent } from '../../contract/events.ts';
import { readToken } from '../api/client.ts';
import { getResumeCursor } from '../api/eventCursor.ts';
import { lockNameOf, openChannel, withTabLock } from '../storage/tabs.ts';
import { backOff } from './backOff.ts';
import { readEventStream } from './eventStream.ts';
import { isLiveEvent } from './isLiveEvent.ts';

export type EventSubscriber = {
  /** `isLeader`: this tab holds the connection and plays the sounds. */
  readonly onEvent: (event: LiveEvent, isLeader: boolean) => void;
  readonly onConnectedChange: (isConnected: boolean) => void;
  readonly onGap: () => void;
  readonly onSessionExpired: () => void;
};

type TabMessage =
  | { readonly kind: 'event'; readonly event: LiveEvent; readonly id: string }
  | { readonly kind: 'connected'; readonly isConnected: boolean }
  | { readonly kind: 'gap' };

/**
 * Subscribes to the live events of a user. One tab holds the connection for all tabs, because a browser opens only six
 * connections to a server over HTTP/1.1. When it closes, the next tab resumes after the last event.
 */
export function subscribeToLiveEvents(userId: string, subscriber: EventSubscriber): () => void {
  const name = `rubadub-live-${userId}`;
  const channel = openChannel(name);
  // Without locks, too, every tab connects.
  if (!channel) return startLeading(subscriber, undefined, () => undefined);
  const controller = new AbortController();
  let lastId: string | undefined;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'event') {
      lastId = data.id;
      subscriber.onEvent(data.event, false);
    } else if (data.kind === 'connected') subscriber.onConnectedChange(data.isConnected);
    else subscriber.onGap();
  };
  const lead = (): Promise<void> =>
    new Promise((release) => {
      const stop = startLeading(subscriber, lastId, (message) => channel.postMessage(message));
      controller.signal.addEventListener('abort', () => {
        stop();
        release();
      });
    });
  // The leading tab has broadcast events while this page was loading.
  const joined = navigator.locks?.query().then(({ held = [] }) => {
    if (!controller.signal.aborted && held.some((lock) => lock.name === lockNameOf(name))) subscriber.onGap();
  });
  joined?.catch(() => undefined);
  withTabLock(name, { signal: controller.signal }, lead).catch(() => undefined);
  return () => {
    controller.abort();
    channel.close();
  };
}

function startLeading(
  subscriber: EventSubscriber,
  lastId: string | undefined,
  broadcast: (message: TabMessage) => void,
): () => void {
  const controller = new AbortController();
  void readAsLeader(subscriber, lastId, broadcast, controller.signal);
  return () => controller.abort();
}

async function readAsLeader(
  subscriber: EventSubscriber,
  lastId: string | undefined,
  broadcast: (message: TabMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  await readEventStream({
    url: `/api${EVENTS_PATH}`,
    isEvent: isLiveEvent,
    headers: () => ({ authorization: `Bearer ${readToken() ?? ''}` }),
    lastEventId: lastId ?? (await getResumeCursor()),
    onEvent: (event, id) => {
      broadcast({ kind: 'event', event, id });
      subscriber.onEvent(event, true);
    },
    onConnectedChange: (isConnected) => {
      broadcast({ kind: 'connected', isConnected });
      subscriber.onConnectedChange(isConnected);
    },
    onGap: () => {
      broadcast({ kind: 'gap' });
      subscriber.onGap();
    },
    waitBeforeRetry: backOff,
    signal,
  });
  if (!signal.aborted) subscriber.onSessionExpired();
}
