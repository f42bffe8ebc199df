import { type Caller, SESSION_LIFETIME_S, SESSION_TOUCH_INTERVAL_S } from '../../domain/accounts.ts';
import type { Context } from '../context.ts';
import type { SerializedJson } from '../db/json.sql.ts';
import type { QueryExecutor } from '../db/pipeline.ts';
import type { JsonQuery } from '../db/query.sql.ts';
import { batch } from './batch.ts';
import { digest } from './secrets.ts';
import { findSessions, selectLiveTokenHashes, touchSession } from './sessions.sql.ts';

/** The caller that a token belongs to, which never changes. Whether the session still lives is checked every time. */
export type KnownSession = { readonly tokenHash: Buffer; readonly caller: Caller };

export type Sessions = {
  /** The session of a token, or undefined when it has ended. */
  lookUp(token: string): Promise<KnownSession | undefined>;
  /** The session that an earlier look-up of this token found. It may have ended since. */
  findCached(token: string): KnownSession | undefined;
  /** Runs a query and checks the session in the same statement. Undefined when the session has ended. */
  runQuery(
    session: KnownSession,
    query: JsonQuery,
  ): Promise<{ readonly answer: SerializedJson | undefined } | undefined>;
};

/** About 300 bytes each. */
const MAX_CACHED_SESSIONS = 20_000;

const cacheKeyOf = ({ tokenHash }: Pick<KnownSession, 'tokenHash'>) => tokenHash.toString('latin1');
const secondsBefore = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

/**
 * Looks up sessions and extends those in use. Every request checks its session in the database, in a batch with other
 * requests or inside its own query, so a session that ends is over at once on every server.
 */
export function createSessions({ db, now }: Context, pipeline: QueryExecutor): Sessions {
  const findInBatch = batch((hashes: readonly Buffer[]) =>
    findSessions(pipeline, hashes, secondsBefore(now(), SESSION_LIFETIME_S)),
  );
  const cache = new Map<string, KnownSession>();

  function remember(session: KnownSession): KnownSession {
    cache.set(cacheKeyOf(session), session);
    // The oldest entry goes first. If its session is still in use, it is looked up again.
    const [oldest] = cache.size > MAX_CACHED_SESSIONS ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    return session;
  }

  return {
    async lookUp(token) {
      const tokenHash = digest(token);
      const session = await findInBatch(tokenHash);
      if (!session) return undefined;
      if (session.lastUsedAt < secondsBefore(now(), SESSION_TOUCH_INTERVAL_S)) await touchSession(db, tokenHash, now());
      return remember({ tokenHash, caller: session.caller });
    },
    findCached: (token) => cache.get(cacheKeyOf({ tokenHash: digest(token) })),
    async runQuery(session, query) {
      const { tokenHash, caller } = session;
      const result = await query.runInSession(query.isQuick ? pipeline : db, {
        tokenHash,
        userId: caller.id,
        now: now(),
      });
      if (!result) cache.delete(cacheKeyOf(session));
      else if (result.isStale) await touchSession(db, tokenHash, now());
      return result;
    },
  };
}

/** Which of these token hashes belong to a live session, in hexadecimal. */
export function findLiveTokenHashes({ db, now }: Context, hashes: readonly Buffer[]) {
  return selectLiveTokenHashes(db, hashes, secondsBefore(now(), SESSION_LIFETIME_S));
}
