import { CURSOR_HEADER } from '../../contract/call.ts';
import { LiveEvent, RESUMED_HEADER, streamEvents } from '../../contract/events.ts';
import { type SentEvent, startReading } from './readEvents.ts';

export type Hearing = {
  /** The stream's address below the API's. */
  readonly host: string;
  readonly token: () => string | undefined;
  /** Where to go on, if another tab listened before. */
  readonly lastId?: string | undefined;
  readonly onEvent: (event: LiveEvent, id: string) => void;
  /** Whether the stream flows. */
  readonly onHeld?: (isHeld: boolean) => void;
  /** Something may have been missed, also before the first event: what is shown must be asked for anew. */
  readonly onGap: () => void;
  /** Waits before the next try; `tries` counts from 1 since the last success. */
  readonly pause: (tries: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
};

type Ended = 'again' | 'unreachable' | 'unauthenticated';

/** Three heartbeats missed: whatever holds the connection open, it is not our server. */
const SILENCE_MS = 25_000;
const STEADY_MS = 10_000;
/** From here on it is more than a server that starts anew. */
const PATIENCE = 2;

/** Listens until `signal` ends it or the token is dead, and comes back by itself after every lost connection. */
export async function listenToEvents(hearing: Hearing): Promise<void> {
  const place: Place = { lastId: hearing.lastId };
  let tries = 0;
  while (!hearing.signal.aborted) {
    const [before, since] = [place.lastId, performance.now()];
    const ended = await listenOnce(hearing, place).catch((): Ended => 'unreachable');
    if (hearing.signal.aborted) return;
    hearing.onHeld?.(false);
    if (ended === 'unauthenticated') return hearing.onGap();
    const wasSteady = place.lastId !== before || performance.now() - since > STEADY_MS;
    tries = wasSteady ? 1 : tries + 1;
    // A server that answers, but whose stream cannot be held, is asked instead.
    if (ended === 'again' && tries > PATIENCE) hearing.onGap();
    await hearing.pause(tries, hearing.signal);
  }
}

type Place = { lastId: string | undefined };

async function listenOnce(hearing: Hearing, place: Place): Promise<Ended> {
  const silence = watchFor(SILENCE_MS);
  try {
    return await hear(hearing, place, silence);
  } finally {
    silence.stop();
  }
}

type Silence = ReturnType<typeof watchFor>;

/** A signal that aborts when nothing was heard for so long. */
function watchFor(ms: number) {
  const ending = new AbortController();
  let timer = setTimeout(() => ending.abort(), ms);
  const stop = () => clearTimeout(timer);
  const heard = () => {
    stop();
    timer = setTimeout(() => ending.abort(), ms);
  };
  return { signal: ending.signal, heard, stop };
}

async function hear(hearing: Hearing, place: Place, silence: Silence): Promise<Ended> {
  const response = await fetch(hearing.host + streamEvents.path, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${hearing.token() ?? ''}`,
      ...(place.lastId === undefined ? {} : { 'last-event-id': place.lastId }),
    },
    cache: 'no-store',
    signal: AbortSignal.any([hearing.signal, silence.signal]),
  });
  if (response.status === 401) return 'unauthenticated';
  if (!response.ok || !response.body) return 'again';
  if (response.headers.get(RESUMED_HEADER) !== 'yes') {
    place.lastId = response.headers.get(CURSOR_HEADER) ?? undefined;
    hearing.onGap();
  }
  hearing.onHeld?.(true);
  const take = ({ id, data }: SentEvent) => {
    if (id !== undefined) place.lastId = id;
    const event = LiveEvent.safeParse(JSON.parse(data));
    if (event.success) hearing.onEvent(event.data, id ?? '');
  };
  await readAll(response.body, take, silence.heard).catch(() => undefined);
  return 'again';
}

// Not every browser can walk a stream with for await.
async function readAll(
  body: ReadableStream<Uint8Array>,
  take: (event: SentEvent) => void,
  heard: () => void,
): Promise<void> {
  const read = startReading();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    heard();
    for (const event of read(decoder.decode(part.value, { stream: true }))) take(event);
  }
}
