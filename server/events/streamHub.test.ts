import { describe, expect, onTestFinished, test } from 'vitest';
import type { Cursor, EventRow } from './events.sql.ts';
import { type EncodedEvent, gapAfter, openStreamHub } from './streamHub.ts';

type Nearby = { readonly cursor: Cursor; readonly userId: string };

const cursorOf = (id: bigint): Cursor => ({ tx: 11n, id });
const eventFor = (id: bigint, people: readonly string[], data: string | undefined = `{"n":${id}}`): EventRow => ({
  cursor: cursorOf(id),
  people,
  isForNearby: id === 3n,
  data,
});

/** A hub without a database: `publish` gives it one batch of events. */
async function openHub(nearby: readonly Nearby[] = []) {
  let unread: readonly EventRow[] = [];
  const hub = await openStreamHub({
    readLatestCursor: async () => ({ tx: 10n, id: 0n }),
    readEvents: async () => {
      const events = unread;
      unread = [];
      return { events, hasPending: false, isRewound: false };
    },
    readNearbyRecipients: async () => [...nearby],
    findLiveTokens: async () => new Set(),
    tokenCheckMs: 60_000,
    pollIntervalMs: () => 60_000,
    log: { warn: () => {} } as never,
  });
  onTestFinished(() => hub.close());
  return {
    listen(userId: string): EncodedEvent[] {
      const received: EncodedEvent[] = [];
      const receive = (event: EncodedEvent) => void received.push(event);
      hub.subscribe({ userId, tokenHash: Buffer.from(userId), receive, heartbeat: () => {}, end: () => {} });
      return received;
    },
    publish(events: readonly EventRow[]) {
      unread = events;
      hub.poll();
    },
  };
}

const textOf = (events: readonly EncodedEvent[]) => events.map(({ message }) => message?.toString());

describe('the stream hub', () => {
  test('encodes an event once, however many streams get it, and passes it to nobody else', async () => {
    const { listen, publish } = await openHub();
    const [first, second, other, stranger] = [listen('bud'), listen('bud'), listen('scrub'), listen('stranger')];
    publish([eventFor(1n, ['bud', 'scrub']), eventFor(2n, ['bud', 'nobody who listens'])]);
    await expect.poll(() => first.length).toBe(2);
    expect(textOf(first)).toEqual(['id: 11-1\ndata: {"n":1}\n\n', 'id: 11-2\ndata: {"n":2}\n\n']);
    expect(second).toEqual(first);
    expect([second[0]?.message === first[0]?.message, other[0]?.message === first[0]?.message]).toEqual([true, true]);
    expect([other.length, stranger.length]).toEqual([1, 0]);
  });

  test('passes an event once to a person who is of the event and also near it', async () => {
    const { listen, publish } = await openHub([{ cursor: cursorOf(3n), userId: 'duber' }]);
    const received = listen('duber');
    publish([eventFor(3n, ['duber']), eventFor(4n, ['duber'])]);
    await expect.poll(() => received.length).toBe(2);
    expect(textOf(received)).toEqual(['id: 11-3\ndata: {"n":3}\n\n', 'id: 11-4\ndata: {"n":4}\n\n']);
  });

  test('sends no message for an event that has nothing to say any more', async () => {
    const { listen, publish } = await openHub();
    const received = listen('bud');
    publish([{ ...eventFor(5n, ['bud']), data: undefined }]);
    await expect.poll(() => received.length).toBe(1);
    expect(textOf(received)).toEqual([undefined]);
  });

  test('waits longer after a batch of many messages, but never longer than a tenth of a second', () => {
    expect([0, 25, 100, 300, 100_000].map(gapAfter)).toEqual([8, 8, 25, 75, 100]);
  });
});
