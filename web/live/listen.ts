import { CURSOR_HEADER, LiveEvent, RESUMED_HEADER, streamEvents } from '../../contract/events.ts';
import { type SentEvent, startReading } from './readEvents.ts';

export type Hearing = {
  /** The stream's address below the API's. */
  readonly host: string;
  readonly token: () => string | undefined;
  readonly onEvent: (event: LiveEvent) => void;
  /** Something may have been missed, also before the first event: what is shown must be asked for anew. */
  readonly onGap: () => void;
  /** Waits before the next try; `tries` counts from 1 since the last success. */
  readonly pause: (tries: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
};

type Ended = 'again' | 'unauthenticated';

/** Listens until `signal` ends it or the token is dead, and comes back by itself after every lost connection. */
export async function listenToEvents(hearing: Hearing): Promise<void> {
  const place: Place = { lastId: undefined };
  let tries = 0;
  while (!hearing.signal.aborted) {
    const before = place.lastId;
    const ended = await listenOnce(hearing, place).catch((): Ended => 'again');
    if (ended === 'unauthenticated') return hearing.onGap();
    tries = place.lastId === before ? tries + 1 : 1;
    await hearing.pause(tries, hearing.signal);
  }
}

type Place = { lastId: string | undefined };

async function listenOnce(hearing: Hearing, place: Place): Promise<Ended> {
  const response = await fetch(hearing.host + streamEvents.path, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${hearing.token() ?? ''}`,
      ...(place.lastId === undefined ? {} : { 'last-event-id': place.lastId }),
    },
    signal: hearing.signal,
  });
  if (response.status === 401) return 'unauthenticated';
  if (!response.ok || !response.body) return 'again';
  if (response.headers.get(RESUMED_HEADER) !== 'yes') {
    place.lastId = response.headers.get(CURSOR_HEADER) ?? undefined;
    hearing.onGap();
  }
  await readAll(response.body, ({ id, data }) => {
    if (id !== undefined) place.lastId = id;
    const event = LiveEvent.safeParse(JSON.parse(data));
    if (event.success) hearing.onEvent(event.data);
  });
  return 'again';
}

// Not every browser can walk a stream with for await.
async function readAll(body: ReadableStream<Uint8Array>, take: (event: SentEvent) => void): Promise<void> {
  const read = startReading();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const event of read(decoder.decode(part.value, { stream: true }))) take(event);
  }
}
