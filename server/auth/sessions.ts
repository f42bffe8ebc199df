import { type Caller, SESSION_LIFETIME_S, SESSION_TOUCH_INTERVAL_S } from '../../domain/accounts.ts';
import type { Context } from '../context.ts';
import type { SerializedJson } from '../db/json.sql.ts';
import type { QueryExecutor } from '../db/pipeline.ts';
import type { JsonQuery } from '../db/query.sql.ts';
import { batch } from './batch.ts';
import { digest } from './secrets.ts';
import * as sqlOf from './sessions.sql.ts';

/** Whose a token is, which never changes. Whether it lives must be asked each time. */
export type KnownSession = { readonly tokenHash: Buffer; readonly caller: Caller };

export type Sessions = {
  /** Whose a token is that lives, or undefined when it is dead. */
  lookUp(token: string): Promise<KnownSession | undefined>;
  /** Whose a token was found to be before. */
  findCached(token: string): KnownSession | undefined;
  /** A reading together with whether the token lives; undefined when it does not. */
  runQuery(
    known: KnownSession,
    reading: JsonQuery,
  ): Promise<{ readonly answer: SerializedJson | undefined } | undefined>;
};

/** Some 300 bytes each. */
const MAX_CACHED_SESSIONS = 20_000;

const cacheKeyOf = ({ tokenHash }: Pick<KnownSession, 'tokenHash'>) => tokenHash.toString('latin1');
const secondsBefore = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

/**
 * Says whose tokens are, and keeps sessions that are used alive. Nothing is believed alive that was alive before: requests
 * that come together are looked up together, each of them anew, and a reading asks for the session in its own statement. So
 * a token that died is dead at once, on every server.
 */
export function createSessions({ db, now }: Context, quick: QueryExecutor): Sessions {
  const find = batch((hashes: readonly Buffer[]) =>
    sqlOf.findSessions(quick, hashes, secondsBefore(now(), SESSION_LIFETIME_S)),
  );
  const known = new Map<string, KnownSession>();

  function remember(one: KnownSession): KnownSession {
    known.set(cacheKeyOf(one), one);
    // The oldest goes first: if it is still in use, it is looked up once more.
    const [oldest] = known.size > MAX_CACHED_SESSIONS ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return one;
  }

  return {
    async lookUp(token) {
      const tokenHash = digest(token);
      const session = await find(tokenHash);
      if (!session) return undefined;
      if (session.lastUsedAt < secondsBefore(now(), SESSION_TOUCH_INTERVAL_S))
        await sqlOf.touchSession(db, tokenHash, now());
      return remember({ tokenHash, caller: session.caller });
    },
    findCached: (token) => known.get(cacheKeyOf({ tokenHash: digest(token) })),
    async runQuery(one, reading) {
      const { tokenHash, caller } = one;
      const shown = await reading.runInSession(reading.isQuick ? quick : db, {
        tokenHash,
        userId: caller.id,
        now: now(),
      });
      if (!shown) known.delete(cacheKeyOf(one));
      else if (shown.isStale) await sqlOf.touchSession(db, tokenHash, now());
      return shown;
    },
  };
}

/** Which of these tokens are alive, of those whose hashes are given; in hexadecimal. */
export function findLiveTokenHashes({ db, now }: Context, hashes: readonly Buffer[]) {
  return sqlOf.selectLiveTokenHashes(db, hashes, secondsBefore(now(), SESSION_LIFETIME_S));
}
