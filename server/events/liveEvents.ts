import { sql } from 'kysely';
import { findLiveTokenHashes } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { EVENTS_KEPT_MS } from '../jobs/retention.ts';
import { deleteOldestEvents, readEvents, readLatestCursor, readNearbyRecipients } from './events.sql.ts';
import { noServerChannel, openServerChannel } from './serverChannel.ts';
import { openStreamHub, type StreamHub } from './streamHub.ts';

/** Streams of another kind that follow the same events. */
export type OtherStreams = { wake(): void; endAll(): void; close(): void };

export type LiveEvents = {
  readonly hub: StreamHub;
  /** From now on these streams are woken and ended with those of the hub. */
  join(streams: OtherStreams): void;
  /** Ends every stream, and each later one as soon as it is opened. */
  endAll(): void;
  /** Call after a transaction that wrote events has committed. */
  wake(): void;
  /** Call after sessions of a user have ended. Ends their streams, here and on the other servers. */
  endStreamsOf(userId: string): void;
  close(): Promise<void>;
};

const POLL_MS = 2_000;
const POLL_WITHOUT_CHANNEL_MS = 200;
const STREAM_CHECK_MS = 5_000;

/** Opens the stream hub of this process, and the channel on which servers notify each other of new events. */
export async function openLiveEvents(
  context: Context,
  database: Database,
  streamCheckMs = STREAM_CHECK_MS,
): Promise<LiveEvents> {
  const { log, newId, config, now } = context;
  // News of steps does not wait behind reads.
  const db = database.stepDb;
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  const others = new Set<OtherStreams>();
  let poll = () => {};
  let checkStreamsOf = (_userId: string) => {};
  const channel =
    database.kind === 'embedded' || url === undefined
      ? noServerChannel
      : openServerChannel({
          url,
          serverId: newId(),
          notify: (name, payload) => sql`select pg_notify(${name}, ${payload})`.execute(db),
          onEvents: () => poll(),
          onSessionsEnded: (userId) => checkStreamsOf(userId),
          log,
        });
  const hub = await openStreamHub({
    readLatestCursor: () => readLatestCursor(db),
    readEvents: (cursor, limit) => readEvents(db, cursor, limit, now()),
    readNearbyRecipients: (people, range) => readNearbyRecipients(db, people, range),
    findLiveTokens: (tokens) => findLiveTokenHashes(context, tokens),
    tokenCheckMs: streamCheckMs,
    pollIntervalMs: () => (channel.isReceiving() ? POLL_MS : POLL_WITHOUT_CHANNEL_MS),
    log,
  });
  poll = () => {
    hub.poll();
    for (const streams of others) streams.wake();
  };
  checkStreamsOf = hub.checkStreamsOf;
  return {
    hub,
    join: (streams) => void others.add(streams),
    endAll() {
      hub.endAll();
      for (const streams of others) streams.endAll();
    },
    wake() {
      poll();
      channel.notify();
    },
    endStreamsOf(userId) {
      hub.checkStreamsOf(userId);
      channel.notifySessionsEnded(userId);
    },
    async close() {
      for (const streams of others) streams.close();
      await Promise.all([hub.close(), channel.close()]);
    },
  };
}

const DELETE_BATCH_SIZE = 300;

/** Deletes a batch of events that are too old to resume from. False when there was none. */
export async function deleteOldEvents({ db, now }: Context): Promise<boolean> {
  const before = new Date(now().getTime() - EVENTS_KEPT_MS);
  return (await deleteOldestEvents(db, before, DELETE_BATCH_SIZE)) > 0;
}
