import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { livingTokens } from '../auth/sessions.ts';
import type { Deps } from '../context.ts';
import type { Database } from '../db/database.ts';
import { clearOutbox, edgeOfOutbox, readAround, readOutbox } from './events.sql.ts';
import { noWire, openWire } from './serverChannel.ts';
import { type Hub, openHub } from './streamHub.ts';

export type Live = {
  readonly hub: Hub;
  /** Says that something was written into the outbox here, and committed. */
  nudge(): void;
  close(): Promise<void>;
};

const QUIET_MS = 2_000;
const DEAF_MS = 200;

/** Opens what carries events from the outbox to the streams of this process, and the news of them to other processes. */
export async function openLive(deps: Deps, database: Database): Promise<Live> {
  const { db, log, newId, config, now } = deps;
  const url = config.databaseDirectUrl;
  let look = () => {};
  const wire =
    database.kind === 'embedded' || url === undefined
      ? noWire
      : openWire({
          url,
          name: newId(),
          notify: (channel, payload) => sql`select pg_notify(${channel}, ${payload})`.execute(db),
          onHeard: () => look(),
          log,
        });
  const hub = await openHub({
    edge: () => edgeOfOutbox(db),
    read: (cursor, limit) => readOutbox(db, cursor, limit, now()),
    around: (people, range) => readAround(db, people, range),
    alive: (tokens) => livingTokens(deps, tokens),
    quietMs: () => (wire.hears() ? QUIET_MS : DEAF_MS),
    log,
  });
  look = hub.look;
  return {
    hub,
    nudge() {
      hub.look();
      wire.tell();
    },
    async close() {
      await Promise.all([hub.close(), wire.close()]);
    },
  };
}

const KEPT_MS = 24 * 60 * 60 * 1000;
const CLEARED_AT_ONCE = 1_000;
const BREATH_MS = 50;

/** Clears a piece of the outbox that nobody will resume from any more; false when there was none. */
export async function clearOldEvents({ db, now }: Deps): Promise<boolean> {
  const cleared = await clearOutbox(db, new Date(now().getTime() - KEPT_MS), CLEARED_AT_ONCE);
  if (cleared > 0) await setTimeout(BREATH_MS);
  return cleared > 0;
}
