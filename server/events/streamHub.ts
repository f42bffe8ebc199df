import { setTimeout } from 'node:timers/promises';
import type { Log } from '../context.ts';
import type { Cursor, EventRow, Range } from './events.sql.ts';

/** One open stream, as the hub sees it. */
export type Reader = {
  readonly userId: string;
  /** Of the token it was opened with. */
  readonly tokenHash: Buffer;
  take(event: EventRow): void;
  beat(): void;
  end(): void;
};

export type Hub = {
  /** Adds a reader: it is given everything after the place that this answers. */
  join(reader: Reader): Cursor;
  leave(reader: Reader): void;
  /** Says that something may be in the outbox. */
  look(): void;
  readersOf(userId: string): number;
  /** Up to where everything has been read: whoever asks the database from now on sees it all. */
  place(): string;
  /** Ends every stream; those that come later are ended at once. */
  endAll(): void;
  close(): Promise<void>;
};

type Given = {
  readonly edge: () => Promise<Cursor>;
  readonly read: (cursor: Cursor, limit: number) => Promise<{ events: readonly EventRow[]; waits: boolean }>;
  /** Which of these people the events of a range tell that concern those around a place. */
  readonly around: (people: readonly string[], range: Range) => Promise<{ cursor: Cursor; userId: string }[]>;
  /** Which of these tokens are alive. */
  readonly alive: (tokens: readonly Buffer[]) => Promise<ReadonlySet<string>>;
  /** Milliseconds between two looks that nobody asked for. */
  readonly quietMs: () => number;
  readonly log: Log;
};

const BATCH = 500;
const GAP_MS = 8;
const WAITS_MS = 15;
const AWAY_MS = 1_000;
const BEAT_MS = 8_000;
const TOKENS_MS = 5_000;
const TOKENS_AT_ONCE = 1_000;

/** A place as clients carry it. */
export const writeCursor = ({ tx, id }: Cursor) => `${tx}-${id}`;
export const isAfter = (a: Cursor, b: Cursor) => a.tx > b.tx || (a.tx === b.tx && a.id > b.id);

/** Reads the outbox once for all open streams of this process, and hands each person what they are told. */
export async function openHub(given: Given): Promise<Hub> {
  const readers = new Map<string, Set<Reader>>();
  const looking = lookAgain(given, readers, await given.edge());
  const beats = every(BEAT_MS, () => forEach(readers, (reader) => reader.beat()));
  const tokens = every(TOKENS_MS, () => void endDead(given, readers));
  let ended = false;
  return {
    join(reader) {
      if (ended) setImmediate(() => reader.end());
      const own = readers.get(reader.userId) ?? new Set();
      readers.set(reader.userId, own.add(reader));
      // Nobody may have looked while nobody listened.
      looking.wake();
      return looking.cursor();
    },
    leave(reader) {
      const own = readers.get(reader.userId);
      own?.delete(reader);
      if (own?.size === 0) readers.delete(reader.userId);
    },
    look() {
      if (readers.size > 0) looking.wake();
    },
    readersOf: (userId) => readers.get(userId)?.size ?? 0,
    place: () => writeCursor(looking.cursor()),
    endAll() {
      ended = true;
      forEach(readers, (reader) => reader.end());
    },
    async close() {
      clearInterval(beats);
      clearInterval(tokens);
      await looking.stop();
    },
  };
}

type Readers = ReadonlyMap<string, ReadonlySet<Reader>>;

// A reader may leave while it is told something, so the sets are copied first.
function forEach(readers: Readers, act: (reader: Reader) => void): void {
  for (const own of [...readers.values()]) for (const reader of [...own]) act(reader);
}

function every(ms: number, act: () => void): NodeJS.Timeout {
  return setInterval(act, ms);
}

/** Who is told, of those who listen, of each event that concerns the people around a place. */
async function listenersAround({ around }: Given, readers: Readers, from: Cursor, events: readonly EventRow[]) {
  const told = new Map<string, string[]>();
  const to = events.findLast((event) => event.userId === null)?.cursor;
  const asked = new Set<string>();
  // Whoever joins while it is being looked up was told to expect these events, too.
  for (let people = [...readers.keys()]; to && people.length > 0; ) {
    for (const person of people) asked.add(person);
    for (const { cursor, userId } of await around(people, { from, to })) {
      const name = writeCursor(cursor);
      const list = told.get(name);
      if (list) list.push(userId);
      else told.set(name, [userId]);
    }
    people = [...readers.keys()].filter((person) => !asked.has(person));
  }
  return told;
}

function lookAgain(given: Given, readers: Readers, from: Cursor) {
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
    const { events, waits } = await given.read(cursor, BATCH);
    const around = await listenersAround(given, readers, cursor, events);
    for (const event of events) {
      const told = event.userId === null ? (around.get(writeCursor(event.cursor)) ?? []) : [event.userId];
      for (const person of told) for (const reader of [...(readers.get(person) ?? [])]) reader.take(event);
      cursor = event.cursor;
    }
    if (events.length === BATCH) return 0;
    return waits ? WAITS_MS : given.quietMs();
  }

  async function run(): Promise<void> {
    while (!stopped) {
      asked = false;
      const wait = await look().catch((error: unknown) => {
        given.log.warn({ err: error }, 'the outbox could not be read');
        return AWAY_MS;
      });
      // However many steps are taken in this while, they are read in one go: no look wakes it.
      await setTimeout(GAP_MS);
      if (!stopped && !asked && wait > GAP_MS) await pause(wait);
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

async function endDead({ alive, log }: Given, readers: Readers): Promise<void> {
  const open = [...readers.values()].flatMap((own) => [...own]);
  for (let from = 0; from < open.length; from += TOKENS_AT_ONCE) {
    const some = open.slice(from, from + TOKENS_AT_ONCE);
    try {
      const living = await alive(some.map((reader) => reader.tokenHash));
      for (const reader of some) if (!living.has(reader.tokenHash.toString('hex'))) reader.end();
    } catch (error) {
      // Nobody can have been signed out while the database is away: the next round looks again.
      log.warn({ err: error }, 'the tokens of the open streams could not be checked');
    }
  }
}
