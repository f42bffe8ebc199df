import type { LiveEvent } from '../../contract/events.ts';
import { readToken } from '../api.ts';
import { getResumeCursor } from './eventCursor.ts';
import { readEventStream } from './eventStream.ts';

export type EventSubscriber = {
  /** `isLeader`: this tab holds the stream, and is the one to make a sound. */
  readonly onEvent: (event: LiveEvent, isLeader: boolean) => void;
  readonly onConnectedChange: (isHeld: boolean) => void;
  readonly onGap: () => void;
  readonly onSessionExpired: () => void;
};

type TabMessage =
  | { readonly kind: 'event'; readonly event: LiveEvent; readonly id: string }
  | { readonly kind: 'held'; readonly isHeld: boolean }
  | { readonly kind: 'gap' };

/**
 * Follows the live events of a person. One tab holds the stream for all of theirs, because a browser opens no more than
 * six connections to a server over HTTP/1.1; when it is closed, the next one goes on after the last event.
 */
export function subscribeToLiveEvents(userId: string, follower: EventSubscriber): () => void {
  const name = `rubadub-live-${userId}`;
  // Locks exist in secure contexts only; without them each tab is its own.
  if (!navigator.locks || typeof BroadcastChannel === 'undefined')
    return startLeading(follower, undefined, () => undefined);
  const end = new AbortController();
  const channel = new BroadcastChannel(name);
  let lastId: string | undefined;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'event') {
      lastId = data.id;
      follower.onEvent(data.event, false);
    } else if (data.kind === 'held') follower.onConnectedChange(data.isHeld);
    else follower.onGap();
  };
  const leading = (): Promise<void> =>
    new Promise((release) => {
      const stop = startLeading(follower, lastId, (message) => channel.postMessage(message));
      end.signal.addEventListener('abort', () => {
        stop();
        release();
      });
    });
  // What came while this page was loading, a tab that already holds the stream has told to nobody.
  const joined = navigator.locks.query().then(({ held = [] }) => {
    if (!end.signal.aborted && held.some((lock) => lock.name === name)) follower.onGap();
  });
  joined.catch(() => undefined);
  navigator.locks.request(name, { signal: end.signal }, leading).catch(() => undefined);
  return () => {
    end.abort();
    channel.close();
  };
}

function startLeading(
  follower: EventSubscriber,
  lastId: string | undefined,
  tell: (message: TabMessage) => void,
): () => void {
  const ending = new AbortController();
  void readAsLeader(follower, lastId, tell, ending.signal);
  return () => ending.abort();
}

async function readAsLeader(
  follower: EventSubscriber,
  lastId: string | undefined,
  tell: (message: TabMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  await readEventStream({
    baseUrl: '/api',
    token: readToken,
    lastEventId: lastId ?? (await getResumeCursor()),
    onEvent: (event, id) => {
      tell({ kind: 'event', event, id });
      follower.onEvent(event, true);
    },
    onConnectedChange: (isHeld) => {
      tell({ kind: 'held', isHeld });
      follower.onConnectedChange(isHeld);
    },
    onGap: () => {
      tell({ kind: 'gap' });
      follower.onGap();
    },
    waitBeforeRetry: backOff,
    signal,
  });
  if (!signal.aborted) follower.onSessionExpired();
}

const MIN_BACKOFF_MS = 800;
const MAX_BACKOFF_MS = 15_000;

/** Waits longer after each failure, never together with everybody else's page, and not past the network's return. */
function backOff(tries: number, signal: AbortSignal): Promise<void> {
  const most = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (tries - 1));
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, most / 2 + (Math.random() * most) / 2);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
