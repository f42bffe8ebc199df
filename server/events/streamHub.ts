import { setTimeout } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Cursor, CursorRange, EventBatch, EventRow } from './events.sql.ts';

/** An event as all its streams send it. Without a message, it has nothing to say any more. */
export type EncodedEvent = { readonly cursor: Cursor; readonly message: Buffer | undefined };

/** An open stream, as the hub sees it. */
export type StreamSubscriber = {
  readonly userId: string;
  /** The hash of the token that opened the stream. */
  readonly tokenHash: Buffer;
  receive(event: EncodedEvent): void;
  heartbeat(): void;
  end(): void;
};

export type StreamHub = {
  /** Adds a subscriber. It receives every event after the returned cursor. */
  subscribe(subscriber: StreamSubscriber): Cursor;
  unsubscribe(subscriber: StreamSubscriber): void;
  /** Reads new events soon, instead of at the next interval. */
  poll(): void;
  countStreamsOf(userId: string): number;
  countStreams(): number;
  /** Ends those streams of a user whose sessions have ended. */
  checkStreamsOf(userId: string): void;
  /** Every event up to this cursor is visible to queries that start now. */
  cursor(): string;
  /** Ends every stream, and each later one as soon as it subscribes. */
  endAll(): void;
  close(): Promise<void>;
};

type StreamHubOptions = {
  readonly readLatestCursor: () => Promise<Cursor>;
  readonly readEvents: (cursor: Cursor, limit: number) => Promise<EventBatch>;
  /** Which of these people the nearby events of a range concern. */
  readonly readNearbyRecipients: (
    people: readonly string[],
    range: CursorRange,
  ) => Promise<{ cursor: Cursor; userId: string }[]>;
  /** Which of these tokens are still signed in, as hex digits. */
  readonly findLiveTokens: (tokenHashes: readonly Buffer[]) => Promise<ReadonlySet<string>>;
  /** How often the tokens of all streams are checked, in case the news that a session has ended was lost. */
  readonly tokenCheckMs: number;
  readonly pollIntervalMs: () => number;
  readonly log: Log;
};

const BATCH_SIZE = 500;
const MIN_POLL_GAP_MS = 8;
/**
 * A write to a socket costs more than everything else that is done for a message. The gap after many of them is longer, so that
 * streams get several events in one write.
 */
const GAP_PER_MESSAGE_MS = 0.25;
const MAX_POLL_GAP_MS = 100;
const PENDING_POLL_MS = 15;
const RETRY_AFTER_MS = 1_000;
const HEARTBEAT_EVERY_MS = 8_000;
/** The streams take turns, so that thousands of heartbeats do not delay an event. */
const HEARTBEAT_TURNS = 8;
const TOKEN_BATCH_SIZE = 1_000;

/** A cursor as clients see it. */
export const formatCursor = ({ tx, id }: Cursor) => `${tx}-${id}`;
export const encodeEvent = ({ cursor, data }: EventRow): EncodedEvent => ({
  cursor,
  message: data === undefined ? undefined : Buffer.from(`id: ${formatCursor(cursor)}\ndata: ${data}\n\n`),
});
export const isAfter = (a: Cursor, b: Cursor) => a.tx > b.tx || (a.tx === b.tx && a.id > b.id);

/** Reads each event once for all open streams of this process, and passes it to the people that it concerns. */
export async function openStreamHub(options: StreamHubOptions): Promise<StreamHub> {
  const subscribers = new Map<string, Set<StreamSubscriber>>();
  const poller = startPolling(options, subscribers, await options.readLatestCursor());
  const heartbeats = startHeartbeats();
  const tokenChecks = setInterval(
    () => void endSignedOutStreams(options, listSubscribers(subscribers)),
    options.tokenCheckMs,
  );
  let isEnded = false;
  return {
    subscribe(subscriber) {
      if (isEnded) setImmediate(() => subscriber.end());
      const streams = subscribers.get(subscriber.userId) ?? new Set();
      subscribers.set(subscriber.userId, streams.add(subscriber));
      heartbeats.add(subscriber);
      // `poll` does nothing while there are no subscribers.
      poller.wake();
      return poller.cursor();
    },
    unsubscribe(subscriber) {
      heartbeats.delete(subscriber);
      const streams = subscribers.get(subscriber.userId);
      streams?.delete(subscriber);
      if (streams?.size === 0) subscribers.delete(subscriber.userId);
    },
    poll() {
      if (subscribers.size > 0) poller.wake();
    },
    countStreamsOf: (userId) => subscribers.get(userId)?.size ?? 0,
    countStreams: () => listSubscribers(subscribers).length,
    checkStreamsOf: (userId) => void endSignedOutStreams(options, [...(subscribers.get(userId) ?? [])]),
    cursor: () => formatCursor(poller.cursor()),
    endAll() {
      isEnded = true;
      for (const subscriber of listSubscribers(subscribers)) subscriber.end();
    },
    async close() {
      heartbeats.stop();
      clearInterval(tokenChecks);
      await poller.stop();
    },
  };
}

function startHeartbeats() {
  const turns = Array.from({ length: HEARTBEAT_TURNS }, () => new Set<StreamSubscriber>());
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % HEARTBEAT_TURNS;
    for (const subscriber of turns[turn] ?? []) subscriber.heartbeat();
  }, HEARTBEAT_EVERY_MS / HEARTBEAT_TURNS);
  return {
    add: (subscriber: StreamSubscriber) => void turns.toSorted((a, b) => a.size - b.size)[0]?.add(subscriber),
    delete: (subscriber: StreamSubscriber) => {
      for (const subscribers of turns) subscribers.delete(subscriber);
    },
    stop: () => clearInterval(timer),
  };
}

type Subscribers = ReadonlyMap<string, ReadonlySet<StreamSubscriber>>;

/** A copy, because a subscriber may unsubscribe while it handles a call. */
const listSubscribers = (subscribers: Subscribers) => [...subscribers.values()].flatMap((streams) => [...streams]);

/** The subscribed people that each nearby event concerns, by the cursor of the event. */
async function findNearbySubscribers(
  { readNearbyRecipients }: StreamHubOptions,
  subscribers: Subscribers,
  from: Cursor,
  events: readonly EventRow[],
): Promise<Map<string, string[]>> {
  const recipients = new Map<string, string[]>();
  const to = events.findLast((event) => event.isForNearby)?.cursor;
  const checked = new Set<string>();
  // Repeats for people who subscribe during the query: their cursor is before these events.
  for (let people = [...subscribers.keys()]; to && people.length > 0; ) {
    for (const person of people) checked.add(person);
    for (const { cursor, userId } of await readNearbyRecipients(people, { from, to })) {
      const key = formatCursor(cursor);
      const list = recipients.get(key);
      if (list) list.push(userId);
      else recipients.set(key, [userId]);
    }
    people = [...subscribers.keys()].filter((person) => !checked.has(person));
  }
  return recipients;
}

/** Milliseconds before the next batch: `gapMs` in any case, and `waitMs` more unless the hub is woken. */
type Pauses = { readonly gapMs: number; readonly waitMs: number };
/** The gap after a batch of so many messages. */
export const gapAfter = (messages: number) =>
  Math.min(Math.max(MIN_POLL_GAP_MS, messages * GAP_PER_MESSAGE_MS), MAX_POLL_GAP_MS);
const NO_PAUSE: Pauses = { gapMs: MIN_POLL_GAP_MS, waitMs: 0 };

/** Passes events on to their people, one batch after the other. */
function createDelivery(options: StreamHubOptions, subscribers: Subscribers, from: Cursor) {
  let cursor = from;

  /** Continues where the database is now, and ends the streams: their clients connect again and read everything again. */
  async function startOver(): Promise<Pauses> {
    cursor = await options.readLatestCursor();
    options.log.warn({ cursor: formatCursor(cursor) }, 'the database has lost transactions: ending all live streams');
    for (const subscriber of listSubscribers(subscribers)) subscriber.end();
    return NO_PAUSE;
  }

  /** Encodes the event once for all its streams, and returns how many they are. A person of the event may also be near it. */
  function pass(event: EventRow, nearby: readonly string[]): number {
    let encoded: EncodedEvent | undefined;
    let count = 0;
    for (const person of new Set([...event.people, ...nearby])) {
      for (const subscriber of subscribers.get(person) ?? []) {
        encoded ??= encodeEvent(event);
        subscriber.receive(encoded);
        count += 1;
      }
    }
    return count;
  }

  return {
    cursor: () => cursor,
    async deliverBatch(): Promise<Pauses> {
      const { events, hasPending, isRewound } = await options.readEvents(cursor, BATCH_SIZE);
      if (isRewound) return startOver();
      const nearby = await findNearbySubscribers(options, subscribers, cursor, events);
      let messages = 0;
      for (const event of events) {
        messages += pass(event, nearby.get(formatCursor(event.cursor)) ?? []);
        cursor = event.cursor;
      }
      if (events.length === BATCH_SIZE) return NO_PAUSE;
      return {
        gapMs: gapAfter(messages),
        waitMs: hasPending ? PENDING_POLL_MS : options.pollIntervalMs(),
      };
    },
  };
}

function startPolling(options: StreamHubOptions, subscribers: Subscribers, from: Cursor) {
  const { cursor, deliverBatch } = createDelivery(options, subscribers, from);
  let isStopped = false;
  let isWoken = false;
  let endPause = () => {};

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = globalThis.setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!isStopped) {
      isWoken = false;
      const { gapMs, waitMs } = await deliverBatch().catch((error: unknown) => {
        options.log.warn({ err: error }, 'events could not be read');
        return { gapMs: MIN_POLL_GAP_MS, waitMs: RETRY_AFTER_MS };
      });
      // Calls of `wake` during this gap lead to one poll together.
      await setTimeout(gapMs);
      if (!isStopped && !isWoken && waitMs > gapMs) await pause(waitMs);
    }
  }

  const running = run();
  return {
    cursor,
    wake() {
      isWoken = true;
      endPause();
    },
    async stop() {
      isStopped = true;
      endPause();
      await running;
    },
  };
}

async function endSignedOutStreams(
  { findLiveTokens, log }: StreamHubOptions,
  open: readonly StreamSubscriber[],
): Promise<void> {
  for (let from = 0; from < open.length; from += TOKEN_BATCH_SIZE) {
    const batch = open.slice(from, from + TOKEN_BATCH_SIZE);
    try {
      const liveTokens = await findLiveTokens(batch.map((subscriber) => subscriber.tokenHash));
      for (const subscriber of batch) {
        if (!liveTokens.has(subscriber.tokenHash.toString('hex'))) subscriber.end();
      }
    } catch (error) {
      // Nobody can sign out while the database is unavailable, and the next check repeats this one.
      log.warn({ err: error }, 'the tokens of the open streams could not be checked');
    }
  }
}
