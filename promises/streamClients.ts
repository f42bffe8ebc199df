import { setTimeout } from 'node:timers/promises';
import { type EventStreamListener, listenToEvents, type ReceivedEvent } from '../testing/eventListener.ts';
import type { Random } from '../testing/random.ts';

/** A client that keeps the event stream open at a random server and reconnects whenever it ends. */
export type StreamClient = {
  readonly events: readonly ReceivedEvent[];
  /** Resolves when the first stream is open. */
  readonly connected: Promise<void>;
  disconnects(): number;
  /** How many streams ended that this client did not close. */
  unexpectedEnds(): number;
  /** How many reconnects a server could not resume. */
  failedResumes(): number;
  /** Forgets where it was, and reads from now on: what has happened before is not received any more. */
  startOver(): Promise<void>;
  stop(): Promise<void>;
};

const MAX_EVENTS_PER_STREAM = 12;
const FIRST_RETRY_MS = 30;
/** A server that is away or busy is asked less and less often, and not by all clients at the same moment. */
const MAX_RETRY_MS = 2_000;

/** Reads a few events from a random host, disconnects, and resumes after the last event received. */
export function startStreamClient(hosts: () => readonly string[], token: string, random: Random): StreamClient {
  const events: ReceivedEvent[] = [];
  let [disconnects, unexpectedEnds, failedResumes] = [0, 0, 0];
  let lastId: string | undefined;
  const stopping = new AbortController();
  let retryMs = FIRST_RETRY_MS;
  let open: EventStreamListener | undefined;
  let resolveConnected = () => {};
  const nextConnection = () =>
    new Promise<void>((resolve) => {
      resolveConnected = resolve;
    });
  const connected = nextConnection();

  async function readOneStream(): Promise<void> {
    const all = hosts();
    let remaining = 1 + Math.floor(random() * MAX_EVENTS_PER_STREAM);
    let isDisconnected = false;
    const listener = await listenToEvents(all[Math.floor(random() * all.length)] ?? '', token, {
      ...(lastId === undefined ? {} : { lastId }),
      onEvent: (event) => {
        // Ignores events that arrive after the disconnect.
        if (isDisconnected) return;
        events.push(event);
        lastId = event.cursor;
        remaining -= 1;
        if (remaining > 0 || stopping.signal.aborted) return;
        isDisconnected = true;
        disconnects += 1;
        listener.disconnect();
      },
    });
    if (listener.status !== 200) {
      listener.disconnect();
      return waitBeforeRetry();
    }
    retryMs = FIRST_RETRY_MS;
    open = listener;
    if (lastId !== undefined && listener.headers['x-events-resumed'] !== 'yes') failedResumes += 1;
    lastId ??= String(listener.headers['x-events-cursor']);
    resolveConnected();
    if (stopping.signal.aborted) listener.disconnect();
    await listener.ended;
    if (!isDisconnected && !stopping.signal.aborted) unexpectedEnds += 1;
  }

  async function waitBeforeRetry(): Promise<void> {
    const delayMs = retryMs * (0.5 + random() / 2);
    // Ends early when the client stops.
    await setTimeout(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }

  const run = async () => {
    while (!stopping.signal.aborted) await readOneStream().catch(waitBeforeRetry);
  };
  const running = run();
  return {
    events,
    connected,
    disconnects: () => disconnects,
    unexpectedEnds: () => unexpectedEnds,
    failedResumes: () => failedResumes,
    startOver() {
      lastId = undefined;
      const reconnected = nextConnection();
      open?.disconnect();
      return reconnected;
    },
    stop() {
      stopping.abort();
      open?.disconnect();
      return running;
    },
  };
}
