import { setTimeout } from 'node:timers/promises';
import { type EventStreamListener, listenToEvents, type ReceivedEvent } from '../testing/eventListener.ts';
import type { Random } from '../testing/random.ts';

/** Somebody who keeps the live stream open, at one server or another, through whatever happens to it. */
export type StreamClient = {
  readonly events: readonly ReceivedEvent[];
  /** Resolves when the first stream stands. */
  readonly connected: Promise<void>;
  disconnects(): number;
  /** How often a stream ended or broke that was not cut here. */
  unexpectedEnds(): number;
  /** Places in the stream that a server could not go on from. */
  failedResumes(): number;
  stop(): Promise<void>;
};

const MAX_EVENTS_PER_STREAM = 12;
const RETRY_DELAY_MS = 30;

/** Follows at a random one of `hosts()`, is cut off after a few events, and goes on after the last one heard. */
export function startStreamClient(hosts: () => readonly string[], token: string, random: Random): StreamClient {
  const heard: ReceivedEvent[] = [];
  let [cuts, breaks, lost] = [0, 0, 0];
  let lastId: string | undefined;
  let stopped = false;
  let open: EventStreamListener | undefined;
  let connect = () => {};
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });

  async function once(): Promise<void> {
    const all = hosts();
    let left = 1 + Math.floor(random() * MAX_EVENTS_PER_STREAM);
    let isCut = false;
    const listener = await listenToEvents(all[Math.floor(random() * all.length)] ?? '', token, {
      ...(lastId === undefined ? {} : { lastId }),
      onEvent: (event) => {
        // What arrives after the cut was not heard.
        if (isCut) return;
        heard.push(event);
        lastId = event.cursor;
        left -= 1;
        if (left > 0 || stopped) return;
        isCut = true;
        cuts += 1;
        listener.disconnect();
      },
    });
    if (listener.status !== 200) {
      listener.disconnect();
      await setTimeout(RETRY_DELAY_MS);
      return;
    }
    open = listener;
    if (lastId !== undefined && listener.headers['x-events-resumed'] !== 'yes') lost += 1;
    lastId ??= String(listener.headers['x-events-cursor']);
    connect();
    if (stopped) listener.disconnect();
    await listener.ended;
    if (!isCut && !stopped) breaks += 1;
  }

  const run = async () => {
    while (!stopped) await once().catch(() => setTimeout(RETRY_DELAY_MS));
  };
  const running = run();
  return {
    events: heard,
    connected,
    disconnects: () => cuts,
    unexpectedEnds: () => breaks,
    failedResumes: () => lost,
    stop() {
      stopped = true;
      open?.disconnect();
      return running;
    },
  };
}
