import type { RequestOrigin } from '../../contract/call.ts';
import { SESSION_TOUCH_INTERVAL_S } from '../../domain/accounts.ts';
import { browserNameOf } from '../../domain/browserName.ts';
import type { Context } from '../context.ts';
import type { Database, Tx } from '../db/database.ts';
import type { QueryExecutor } from '../db/pipeline.ts';
import { ipNetworkOf } from '../http/rateLimits.ts';
import type { KnownSession, Sessions } from '../http/routes.ts';
import {
  forgetDevices,
  forgetOldestTraits,
  MOST_PER_KIND,
  readKnownTraits,
  rememberTraits,
  type Traits,
} from './knownDevices.sql.ts';
import { createToken, digest } from './secrets.ts';
import { endExcessSessions, findSessions, insertSession, selectLiveTokenHashes, touchSession } from './sessions.sql.ts';

/** About 300 bytes each. */
const MAX_CACHED_SESSIONS = 20_000;

const cacheKeyOf = ({ tokenHash }: Pick<KnownSession, 'tokenHash'>) => tokenHash.toString('latin1');
const secondsBefore = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

/**
 * Looks up sessions and extends those in use. Every request checks its session in the database, in a batch with other
 * requests or inside its own query, so a session that ends is over at once on every server.
 */
export function createSessions(
  { now }: Pick<Context, 'now'>,
  { db, stepDb, pipeline }: Pick<Database, 'db' | 'stepDb' | 'pipeline'>,
): Sessions {
  const lookUpThrough = (executor: QueryExecutor) =>
    batch((hashes: readonly Buffer[]) => findSessions(executor, hashes, now()));
  const lanes = {
    reads: { db, findInBatch: lookUpThrough(pipeline) },
    steps: { db: stepDb, findInBatch: lookUpThrough(stepDb) },
  };
  const cache = new Map<string, KnownSession>();

  function remember(session: KnownSession): KnownSession {
    cache.set(cacheKeyOf(session), session);
    // The oldest entry goes first. If its session is still in use, it is looked up again.
    const [oldest] = cache.size > MAX_CACHED_SESSIONS ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    return session;
  }

  return {
    async lookUp(token, lane) {
      const tokenHash = digest(token);
      const { db: tx, findInBatch } = lanes[lane];
      const session = await findInBatch(tokenHash);
      if (!session) return undefined;
      if (session.lastUsedAt < secondsBefore(now(), SESSION_TOUCH_INTERVAL_S)) await touchSession(tx, tokenHash, now());
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
  return selectLiveTokenHashes(db, hashes, now());
}

/** Longer than any browser's. */
const MAX_USER_AGENT_LENGTH = 500;

/** Where a request comes from, as sessions and limits store it. */
export type Client = {
  readonly network: string;
  readonly browser: string;
  readonly device: Buffer | undefined;
  readonly traits: Traits;
};

export function clientOf({ from, userAgent, device }: RequestOrigin): Client {
  const network = ipNetworkOf(from);
  const browser = browserNameOf(userAgent.slice(0, MAX_USER_AGENT_LENGTH));
  const deviceDigest = device === undefined ? undefined : digest(device);
  const traits = { network, browser: `${browser} in ${network}`, device: deviceDigest?.toString('hex') };
  return { network, browser, device: deviceDigest, traits };
}

/**
 * Opens a session. Undefined when the user's password or e-mail address is no longer the one that was checked. In the transaction it comes
 * first, because it locks the user. `isNewDevice` is whether the user knows other devices, and not this one.
 */
export async function openSession(
  tx: Tx,
  {
    id: userId,
    emailKey,
    passwordHash,
  }: { readonly id: string; readonly emailKey: string; readonly passwordHash: string },
  { network, browser, device, traits }: Client,
  now: Date,
): Promise<{ readonly authToken: string; readonly isNewDevice: boolean } | undefined> {
  const authToken = createToken();
  const session = { tokenHash: digest(authToken), userId, emailKey, passwordHash };
  if (!(await insertSession(tx, { ...session, network, browser, device: device ?? null }, now))) return undefined;
  await endExcessSessions(tx, userId);
  const known = await readKnownTraits(tx, userId, traits);
  await rememberTraits(tx, userId, traits, now);
  if (known.count >= MOST_PER_KIND) await forgetOldestTraits(tx, userId);
  return { authToken, isNewDevice: known.count > 0 && !known.device && !known.browser };
}

/** Forgets every device of a user except this one, so that anyone else who signs in is new again. Networks stay known. */
export async function forgetOtherDevices(tx: Tx, userId: string, origin: RequestOrigin, now: Date): Promise<void> {
  await forgetDevices(tx, userId);
  await rememberTraits(tx, userId, clientOf(origin).traits, now);
}

type PendingKey<Key, Value> = {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Turns a look-up of many keys into a look-up of one key: all calls within one turn of the event loop share one `load`.
 * `load` returns its values in the order of the keys.
 */
function batch<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>) {
  let pending: PendingKey<Key, Value>[] = [];

  async function loadPending(): Promise<void> {
    const loading = pending;
    pending = [];
    try {
      const values = await load(loading.map(({ key }) => key));
      for (const [index, { resolve }] of loading.entries()) resolve(values[index] as Value);
    } catch (error) {
      for (const { reject } of loading) reject(error);
    }
  }

  return (key: Key): Promise<Value> =>
    new Promise((resolve, reject) => {
      pending.push({ key, resolve, reject });
      if (pending.length === 1) setImmediate(() => void loadPending());
    });
}
