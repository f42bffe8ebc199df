import { type Caller, SESSION_LIFETIME_S, SESSION_NOTED_EVERY_S } from '../../domain/accounts.ts';
import type { Deps } from '../context.ts';
import type { Ready } from '../db/json.sql.ts';
import type { Asks } from '../db/pipeline.ts';
import type { Reading } from '../db/query.sql.ts';
import { gather } from './batch.ts';
import { digest } from './secrets.ts';
import * as sqlOf from './sessions.sql.ts';

/** Whose a token is, which never changes. Whether it lives must be asked each time. */
export type Known = { readonly tokenHash: Buffer; readonly caller: Caller };

export type Sessions = {
  /** Whose a token is that lives, or undefined when it is dead. */
  lookUp(token: string): Promise<Known | undefined>;
  /** Whose a token was found to be before. */
  recall(token: string): Known | undefined;
  /** A reading together with whether the token lives; undefined when it does not. */
  read(known: Known, reading: Reading): Promise<{ readonly answer: Ready | undefined } | undefined>;
};

/** Some 300 bytes each. */
const KNOWN_AT_MOST = 20_000;

const keyOf = ({ tokenHash }: Pick<Known, 'tokenHash'>) => tokenHash.toString('latin1');
const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

/**
 * Says whose tokens are, and keeps sessions that are used alive. Nothing is believed alive that was alive before: requests
 * that come together are looked up together, each of them anew, and a reading asks for the session in its own statement. So
 * a token that died is dead at once, on every server.
 */
export function openSessions({ db, now }: Deps, quick: Asks): Sessions {
  const find = gather((hashes: readonly Buffer[]) =>
    sqlOf.findSessions(quick, hashes, before(now(), SESSION_LIFETIME_S)),
  );
  const known = new Map<string, Known>();

  function remember(one: Known): Known {
    known.set(keyOf(one), one);
    // The oldest goes first: if it is still in use, it is looked up once more.
    const [oldest] = known.size > KNOWN_AT_MOST ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return one;
  }

  return {
    async lookUp(token) {
      const tokenHash = digest(token);
      const session = await find(tokenHash);
      if (!session) return undefined;
      if (session.lastUsedAt < before(now(), SESSION_NOTED_EVERY_S)) await sqlOf.touchSession(db, tokenHash, now());
      return remember({ tokenHash, caller: session.caller });
    },
    recall: (token) => known.get(keyOf({ tokenHash: digest(token) })),
    async read(one, reading) {
      const { tokenHash, caller } = one;
      const shown = await reading.askUnder(reading.isQuick ? quick : db, { tokenHash, userId: caller.id, now: now() });
      if (!shown) known.delete(keyOf(one));
      else if (shown.isStale) await sqlOf.touchSession(db, tokenHash, now());
      return shown;
    },
  };
}

/** Which of these tokens are alive, of those whose hashes are given; in hexadecimal. */
export function livingTokens({ db, now }: Deps, hashes: readonly Buffer[]) {
  return sqlOf.liveTokens(db, hashes, before(now(), SESSION_LIFETIME_S));
}
