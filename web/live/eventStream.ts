import { CURSOR_HEADER } from '../../contract/call.ts';
import { LiveEvent, RESUMED_HEADER, streamEvents } from '../../contract/events.ts';
import { createEventParser, type ServerSentEvent } from './serverSentEvents.ts';

export type EventStreamOptions = {
  /** The stream's address below the API's. */
  readonly baseUrl: string;
  readonly token: () => string | undefined;
  /** Where to go on, if another tab listened before. */
  readonly lastEventId?: string | undefined;
  readonly onEvent: (event: LiveEvent, id: string) => void;
  /** Whether the stream flows. */
  readonly onConnectedChange?: (isHeld: boolean) => void;
  /** Something may have been missed, also before the first event: what is shown must be asked for anew. */
  readonly onGap: () => void;
  /** Waits before the next try; `tries` counts from 1 since the last success. */
  readonly waitBeforeRetry: (tries: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
};

type DisconnectReason = 'again' | 'unreachable' | 'unauthenticated';

/** Three heartbeats missed: whatever holds the connection open, it is not our server. */
const HEARTBEAT_TIMEOUT_MS = 25_000;
const STABLE_CONNECTION_MS = 10_000;
/** From here on it is more than a server that starts anew. */
const MAX_QUICK_RETRIES = 2;

/** Listens until `signal` ends it or the token is dead, and comes back by itself after every lost connection. */
export async function readEventStream(hearing: EventStreamOptions): Promise<void> {
  const place: StreamPosition = { lastEventId: hearing.lastEventId };
  let tries = 0;
  while (!hearing.signal.aborted) {
    const [before, since] = [place.lastEventId, performance.now()];
    const ended = await connectWithTimeout(hearing, place).catch((): DisconnectReason => 'unreachable');
    if (hearing.signal.aborted) return;
    hearing.onConnectedChange?.(false);
    if (ended === 'unauthenticated') return hearing.onGap();
    const wasSteady = place.lastEventId !== before || performance.now() - since > STABLE_CONNECTION_MS;
    tries = wasSteady ? 1 : tries + 1;
    // A server that answers, but whose stream cannot be held, is asked instead.
    if (ended === 'again' && tries > MAX_QUICK_RETRIES) hearing.onGap();
    await hearing.waitBeforeRetry(tries, hearing.signal);
  }
}

type StreamPosition = { lastEventId: string | undefined };

async function connectWithTimeout(hearing: EventStreamOptions, place: StreamPosition): Promise<DisconnectReason> {
  const silence = createInactivityTimeout(HEARTBEAT_TIMEOUT_MS);
  try {
    return await connect(hearing, place, silence);
  } finally {
    silence.stop();
  }
}

type InactivityTimeout = ReturnType<typeof createInactivityTimeout>;

/** A signal that aborts when nothing was heard for so long. */
function createInactivityTimeout(ms: number) {
  const ending = new AbortController();
  let timer = setTimeout(() => ending.abort(), ms);
  const stop = () => clearTimeout(timer);
  const heard = () => {
    stop();
    timer = setTimeout(() => ending.abort(), ms);
  };
  return { signal: ending.signal, heard, stop };
}

async function connect(
  hearing: EventStreamOptions,
  place: StreamPosition,
  silence: InactivityTimeout,
): Promise<DisconnectReason> {
  const response = await fetch(hearing.baseUrl + streamEvents.path, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${hearing.token() ?? ''}`,
      ...(place.lastEventId === undefined ? {} : { 'last-event-id': place.lastEventId }),
    },
    cache: 'no-store',
    signal: AbortSignal.any([hearing.signal, silence.signal]),
  });
  if (response.status === 401) return 'unauthenticated';
  if (!response.ok || !response.body) return 'again';
  if (response.headers.get(RESUMED_HEADER) !== 'yes') {
    place.lastEventId = response.headers.get(CURSOR_HEADER) ?? undefined;
    hearing.onGap();
  }
  hearing.onConnectedChange?.(true);
  const take = ({ id, data }: ServerSentEvent) => {
    if (id !== undefined) place.lastEventId = id;
    const event = LiveEvent.safeParse(JSON.parse(data));
    if (event.success) hearing.onEvent(event.data, id ?? '');
  };
  await readBody(response.body, take, silence.heard).catch(() => undefined);
  return 'again';
}

// Not every browser can walk a stream with for await.
async function readBody(
  body: ReadableStream<Uint8Array>,
  take: (event: ServerSentEvent) => void,
  heard: () => void,
): Promise<void> {
  const read = createEventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    heard();
    for (const event of read(decoder.decode(part.value, { stream: true }))) take(event);
  }
}
