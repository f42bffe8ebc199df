import { createParser } from 'eventsource-parser';
import { CURSOR_HEADER, RESUMED_HEADER } from '../../contract/call.ts';

export type EventStreamOptions<E> = {
  readonly url: string;
  /** Whether this version of the app knows an event. */
  readonly isEvent: (value: unknown) => value is E;
  /** Headers that say who listens, where no cookie does. */
  readonly headers?: () => Record<string, string>;
  /** Where to resume, if another tab read the stream before. */
  readonly lastEventId?: string | undefined;
  readonly onEvent: (event: E, id: string) => void;
  readonly onConnectedChange?: (isConnected: boolean) => void;
  /** Events may have been missed, also before the first one: refetch what is on the screen. */
  readonly onGap: () => void;
  /** Waits before the next attempt; `attempt` counts from 1 since the last stable connection. */
  readonly waitBeforeRetry: (attempt: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
};

type DisconnectReason = 'closed' | 'unreachable' | 'unauthenticated';

/** Three missed heartbeats: something keeps the connection open, but it is not our server. */
const HEARTBEAT_TIMEOUT_MS = 25_000;
const STABLE_CONNECTION_MS = 10_000;
/** More than a restarting server needs. */
const MAX_QUICK_RETRIES = 2;

/** Reads the stream until `signal` aborts or the token is rejected. Reconnects after every lost connection. */
export async function readEventStream<E>(options: EventStreamOptions<E>): Promise<void> {
  const { signal, onGap } = options;
  const position: StreamPosition = { lastEventId: options.lastEventId };
  let attempt = 0;
  while (!signal.aborted) {
    const [idBefore, startedAt] = [position.lastEventId, performance.now()];
    const reason = await connectWithTimeout(options, position).catch((): DisconnectReason => 'unreachable');
    if (signal.aborted) return;
    options.onConnectedChange?.(false);
    if (reason === 'unauthenticated') return onGap();
    const wasStable = position.lastEventId !== idBefore || performance.now() - startedAt > STABLE_CONNECTION_MS;
    attempt = wasStable ? 1 : attempt + 1;
    // The server answers but the stream does not last, so poll instead.
    if (reason === 'closed' && attempt > MAX_QUICK_RETRIES) onGap();
    await options.waitBeforeRetry(attempt, signal);
  }
}

type StreamPosition = { lastEventId: string | undefined };

async function connectWithTimeout<E>(
  options: EventStreamOptions<E>,
  position: StreamPosition,
): Promise<DisconnectReason> {
  const inactivity = createInactivityTimeout(HEARTBEAT_TIMEOUT_MS);
  try {
    return await connect(options, position, inactivity);
  } finally {
    inactivity.stop();
  }
}

type InactivityTimeout = ReturnType<typeof createInactivityTimeout>;

/** A signal that aborts when `reset` is not called for `ms`. */
function createInactivityTimeout(ms: number) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer = setTimeout(abort, ms);
  const stop = () => clearTimeout(timer);
  const reset = () => {
    stop();
    timer = setTimeout(abort, ms);
  };
  return { signal: controller.signal, reset, stop };
}

async function connect<E>(
  options: EventStreamOptions<E>,
  position: StreamPosition,
  inactivity: InactivityTimeout,
): Promise<DisconnectReason> {
  const response = await fetch(options.url, {
    headers: {
      accept: 'text/event-stream',
      ...options.headers?.(),
      ...(position.lastEventId === undefined ? {} : { 'last-event-id': position.lastEventId }),
    },
    cache: 'no-store',
    signal: AbortSignal.any([options.signal, inactivity.signal]),
  });
  if (response.status === 401) return 'unauthenticated';
  if (!response.ok || !response.body) return 'closed';
  if (response.headers.get(RESUMED_HEADER) !== 'yes') {
    position.lastEventId = response.headers.get(CURSOR_HEADER) ?? undefined;
    options.onGap();
  }
  options.onConnectedChange?.(true);
  const { feed } = createParser({
    onEvent: ({ id, data }) => {
      if (id !== undefined) position.lastEventId = id;
      const event: unknown = JSON.parse(data);
      if (options.isEvent(event)) options.onEvent(event, id ?? '');
    },
  });
  await readText(response.body, feed, inactivity.reset).catch(() => undefined);
  return 'closed';
}

// Some browsers cannot iterate a stream with `for await`.
async function readText(
  body: ReadableStream<Uint8Array>,
  onText: (text: string) => void,
  onActivity: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onActivity();
    onText(decoder.decode(part.value, { stream: true }));
  }
}
