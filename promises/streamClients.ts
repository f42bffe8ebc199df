import { setTimeout } from 'node:timers/promises';
import { type Heard, type Listener, listen } from '../testing/eventListener.ts';
import type { Random } from '../testing/random.ts';

/** Somebody who keeps the live stream open, at one server or another, through whatever happens to it. */
export type Follower = {
  readonly heard: readonly Heard[];
  /** Resolves when the first stream stands. */
  readonly connected: Promise<void>;
  cuts(): number;
  /** How often a stream ended or broke that was not cut here. */
  breaks(): number;
  /** Places in the stream that a server could not go on from. */
  lost(): number;
  stop(): Promise<void>;
};

const EVENTS_A_STREAM = 12;
const REST_MS = 30;

/** Follows at a random one of `hosts()`, is cut off after a few events, and goes on after the last one heard. */
export function follow(hosts: () => readonly string[], token: string, random: Random): Follower {
  const heard: Heard[] = [];
  let [cuts, breaks, lost] = [0, 0, 0];
  let lastId: string | undefined;
  let stopped = false;
  let open: Listener | undefined;
  let connect = () => {};
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });

  async function once(): Promise<void> {
    const all = hosts();
    let left = 1 + Math.floor(random() * EVENTS_A_STREAM);
    let isCut = false;
    const listener = await listen(all[Math.floor(random() * all.length)] ?? '', token, {
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
        listener.cut();
      },
    });
    if (listener.status !== 200) {
      listener.cut();
      await setTimeout(REST_MS);
      return;
    }
    open = listener;
    if (lastId !== undefined && listener.headers['x-events-resumed'] !== 'yes') lost += 1;
    lastId ??= String(listener.headers['x-events-cursor']);
    connect();
    if (stopped) listener.cut();
    await listener.ended;
    if (!isCut && !stopped) breaks += 1;
  }

  const run = async () => {
    while (!stopped) await once().catch(() => setTimeout(REST_MS));
  };
  const running = run();
  return {
    heard,
    connected,
    cuts: () => cuts,
    breaks: () => breaks,
    lost: () => lost,
    stop() {
      stopped = true;
      open?.cut();
      return running;
    },
  };
}
