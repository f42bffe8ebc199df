import { setTimeout } from 'node:timers/promises';
import type { Log } from '../context.ts';
import type { Cursor, CursorRange, EventRow } from './events.sql.ts';

/** One open stream, as the hub sees it. */
export type StreamSubscriber = {
  readonly userId: string;
  /** Of the token it was opened with. */
  readonly tokenHash: Buffer;
  receive(event: EventRow): void;
  heartbeat(): void;
  end(): void;
};

export type StreamHub = {
  /** Adds a reader: it is given everything after the place that this answers. */
  subscribe(reader: StreamSubscriber): Cursor;
  unsubscribe(reader: StreamSubscriber): void;
  /** Says that something may be in the outbox. */
  poll(): void;
  countStreamsOf(userId: string): number;
  /** Up to where everything has been read: whoever asks the database from now on sees it all. */
  cursor(): string;
  /** Ends every stream; those that come later are ended at once. */
  endAll(): void;
  close(): Promise<void>;
};

type StreamHubOptions = {
  readonly readEdge: () => Promise<Cursor>;
  readonly readOutbox: (cursor: Cursor, limit: number) => Promise<{ events: readonly EventRow[]; hasPending: boolean }>;
  /** Which of these people the events of a range tell that concern those around a place. */
  readonly readNearbyRecipients: (
    people: readonly string[],
    range: CursorRange,
  ) => Promise<{ cursor: Cursor; userId: string }[]>;
  /** Which of these tokens are alive. */
  readonly findLivingTokens: (tokens: readonly Buffer[]) => Promise<ReadonlySet<string>>;
  /** Milliseconds between two looks that nobody asked for. */
  readonly pollIntervalMs: () => number;
  readonly log: Log;
};

const BATCH_SIZE = 500;
const MIN_POLL_GAP_MS = 8;
const PENDING_POLL_MS = 15;
const RETRY_AFTER_MS = 1_000;
const HEARTBEAT_EVERY_MS = 8_000;
const TOKEN_CHECK_EVERY_MS = 5_000;
const TOKEN_BATCH_SIZE = 1_000;

/** A place as clients carry it. */
export const formatCursor = ({ tx, id }: Cursor) => `${tx}-${id}`;
export const isAfter = (a: Cursor, b: Cursor) => a.tx > b.tx || (a.tx === b.tx && a.id > b.id);

/** Reads the outbox once for all open streams of this process, and hands each person what they are told. */
export async function openStreamHub(given: StreamHubOptions): Promise<StreamHub> {
  const readers = new Map<string, Set<StreamSubscriber>>();
  const looking = startPolling(given, readers, await given.readEdge());
  const beats = startInterval(HEARTBEAT_EVERY_MS, () => forEachSubscriber(readers, (reader) => reader.heartbeat()));
  const tokens = startInterval(TOKEN_CHECK_EVERY_MS, () => void endSignedOutStreams(given, readers));
  let ended = false;
  return {
    subscribe(reader) {
      if (ended) setImmediate(() => reader.end());
      const own = readers.get(reader.userId) ?? new Set();
      readers.set(reader.userId, own.add(reader));
      // Nobody may have looked while nobody listened.
      looking.wake();
      return looking.cursor();
    },
    unsubscribe(reader) {
      const own = readers.get(reader.userId);
      own?.delete(reader);
      if (own?.size === 0) readers.delete(reader.userId);
    },
    poll() {
      if (readers.size > 0) looking.wake();
    },
    countStreamsOf: (userId) => readers.get(userId)?.size ?? 0,
    cursor: () => formatCursor(looking.cursor()),
    endAll() {
      ended = true;
      forEachSubscriber(readers, (reader) => reader.end());
    },
    async close() {
      clearInterval(beats);
      clearInterval(tokens);
      await looking.stop();
    },
  };
}

type Subscribers = ReadonlyMap<string, ReadonlySet<StreamSubscriber>>;

// A reader may leave while it is told something, so the sets are copied first.
function forEachSubscriber(readers: Subscribers, act: (reader: StreamSubscriber) => void): void {
  for (const own of [...readers.values()]) for (const reader of [...own]) act(reader);
}

function startInterval(ms: number, act: () => void): NodeJS.Timeout {
  return setInterval(act, ms);
}

/** Who is told, of those who listen, of each event that concerns the people around a place. */
async function findNearbySubscribers(
  { readNearbyRecipients: around }: StreamHubOptions,
  readers: Subscribers,
  from: Cursor,
  events: readonly EventRow[],
) {
  const told = new Map<string, string[]>();
  const to = events.findLast((event) => event.userId === null)?.cursor;
  const asked = new Set<string>();
  // Whoever joins while it is being looked up was told to expect these events, too.
  for (let people = [...readers.keys()]; to && people.length > 0; ) {
    for (const person of people) asked.add(person);
    for (const { cursor, userId } of await around(people, { from, to })) {
      const name = formatCursor(cursor);
      const list = told.get(name);
      if (list) list.push(userId);
      else told.set(name, [userId]);
    }
    people = [...readers.keys()].filter((person) => !asked.has(person));
  }
  return told;
}

function startPolling(given: StreamHubOptions, readers: Subscribers, from: Cursor) {
  let cursor = from;
  let stopped = false;
  let asked = false;
  let wake = () => {};

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = globalThis.setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function look(): Promise<number> {
    const { events, hasPending } = await given.readOutbox(cursor, BATCH_SIZE);
    const around = await findNearbySubscribers(given, readers, cursor, events);
    for (const event of events) {
      const told = event.userId === null ? (around.get(formatCursor(event.cursor)) ?? []) : [event.userId];
      for (const person of told) for (const reader of [...(readers.get(person) ?? [])]) reader.receive(event);
      cursor = event.cursor;
    }
    if (events.length === BATCH_SIZE) return 0;
    return hasPending ? PENDING_POLL_MS : given.pollIntervalMs();
  }

  async function run(): Promise<void> {
    while (!stopped) {
      asked = false;
      const wait = await look().catch((error: unknown) => {
        given.log.warn({ err: error }, 'the outbox could not be read');
        return RETRY_AFTER_MS;
      });
      // However many steps are taken in this while, they are read in one go: no look wakes it.
      await setTimeout(MIN_POLL_GAP_MS);
      if (!stopped && !asked && wait > MIN_POLL_GAP_MS) await pause(wait);
    }
  }

  const running = run();
  return {
    cursor: () => cursor,
    wake() {
      asked = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

async function endSignedOutStreams(
  { findLivingTokens: alive, log }: StreamHubOptions,
  readers: Subscribers,
): Promise<void> {
  const open = [...readers.values()].flatMap((own) => [...own]);
  for (let from = 0; from < open.length; from += TOKEN_BATCH_SIZE) {
    const some = open.slice(from, from + TOKEN_BATCH_SIZE);
    try {
      const living = await alive(some.map((reader) => reader.tokenHash));
      for (const reader of some) if (!living.has(reader.tokenHash.toString('hex'))) reader.end();
    } catch (error) {
      // Nobody can have been signed out while the database is away: the next round looks again.
      log.warn({ err: error }, 'the tokens of the open streams could not be checked');
    }
  }
}
