import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { findLiveTokenHashes } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { EVENTS_KEPT_MS } from '../jobs/retention.ts';
import { deleteOldestEvents, readNearbyRecipients, readOutbox, readOutboxEdge } from './events.sql.ts';
import { noServerChannel, openServerChannel } from './serverChannel.ts';
import { openStreamHub, type StreamHub } from './streamHub.ts';

export type LiveEvents = {
  readonly hub: StreamHub;
  /** Says that something was written into the outbox here, and committed. */
  wake(): void;
  close(): Promise<void>;
};

const POLL_MS = 2_000;
const POLL_WITHOUT_CHANNEL_MS = 200;

/** Opens what carries events from the outbox to the streams of this process, and the news of them to other processes. */
export async function openLiveEvents(deps: Context, database: Database): Promise<LiveEvents> {
  const { db, log, newId, config, now } = deps;
  const url = config.databaseDirectUrl;
  let look = () => {};
  const wire =
    database.kind === 'embedded' || url === undefined
      ? noServerChannel
      : openServerChannel({
          url,
          name: newId(),
          notify: (channel, payload) => sql`select pg_notify(${channel}, ${payload})`.execute(db),
          onNotified: () => look(),
          log,
        });
  const hub = await openStreamHub({
    readEdge: () => readOutboxEdge(db),
    readOutbox: (cursor, limit) => readOutbox(db, cursor, limit, now()),
    readNearbyRecipients: (people, range) => readNearbyRecipients(db, people, range),
    findLivingTokens: (tokens) => findLiveTokenHashes(deps, tokens),
    pollIntervalMs: () => (wire.isReceiving() ? POLL_MS : POLL_WITHOUT_CHANNEL_MS),
    log,
  });
  look = hub.poll;
  return {
    hub,
    wake() {
      hub.poll();
      wire.notify();
    },
    async close() {
      await Promise.all([hub.close(), wire.close()]);
    },
  };
}

const DELETE_BATCH_SIZE = 1_000;
const PAUSE_MS = 50;

/** Clears a piece of the outbox that nobody will resume from any more; false when there was none. */
export async function deleteOldEvents({ db, now }: Context): Promise<boolean> {
  const cleared = await deleteOldestEvents(db, new Date(now().getTime() - EVENTS_KEPT_MS), DELETE_BATCH_SIZE);
  if (cleared > 0) await setTimeout(PAUSE_MS);
  return cleared > 0;
}
