import { type DehydratedState, dehydrate, hashKey, hydrate, type QueryKey } from '@tanstack/react-query';
import type { User } from '../../contract/accounts.ts';
import { CallFailed } from '../../contract/callClient.ts';
import { readToken } from '../api/client.ts';
import { isGuessed } from '../api/guesses.ts';
import { queryClient } from '../api/queryClient.ts';
import { setLoss } from '../storage/losses.ts';
import { clearOfflineCache, OFFLINE_DATABASE } from './clearOfflineCache.ts';
import { type DatabaseSchema, promisifyRequest, withDatabase } from './indexedDb.ts';
import { isCacheable } from './isCacheable.ts';

/** Older data is not shown again, because it contains people's names and addresses. */
const MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000;
const MAX_ENTRIES = 100;
const WRITE_DELAY_MS = 1_000;

// Increase the version when the shape of a cached response changes. Old entries are then deleted.
export const OFFLINE_SCHEMA: DatabaseSchema = {
  name: OFFLINE_DATABASE,
  version: 5,
  stores: { person: 'key', answers: 'hash' },
};

/** `token` is the digest of the session's token, never the token. */
type CachedUser = { readonly key: 'me'; readonly user: User; readonly token: string; readonly at: number };
type CachedQuery = { readonly hash: string; readonly at: number; readonly query: DehydratedState['queries'][number] };

/** Identifies the session without storing its token. Undefined when signed out. */
async function hashToken(token = readToken()): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The hashes of the queries whose data is not stored yet. */
let unsaved = new Set<string>();
let pending: Promise<unknown> = Promise.resolve();
/** One change of the store after the other: what is to be forgotten must not be written a moment later. */
const inOrder = (change: () => Promise<unknown>): void => {
  pending = pending.then(change).catch(() => undefined);
};

/** Deletes what this device has stored of a query whose answers until `lostAt` this person may no longer see. */
export function deleteCachedAnswer(key: QueryKey, lostAt = Date.now()): void {
  const hash = hashKey(key);
  if ((queryClient.getQueryState(key)?.dataUpdatedAt ?? 0) <= lostAt) unsaved.delete(hash);
  inOrder(() =>
    withDatabase(OFFLINE_SCHEMA, 'readwrite', async (store) => {
      const stored: CachedQuery | undefined = await promisifyRequest(store('answers').get(hash));
      if (stored && stored.at <= lostAt) store('answers').delete(hash);
    }),
  );
}

// A link with an invalid id is a 400: nothing was stored for it.
const isGone = (error: unknown) =>
  error instanceof CallFailed && (error.statusCode === 404 || error.statusCode === 403);

/** Caches what the signed-in user sees on this device. Returns the function that stops it. */
export function startOfflineCache(user: User): () => void {
  // Insecure contexts have no service worker to open the app offline, and no digest.
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return () => undefined;
  const cache = queryClient.getQueryCache();
  unsaved = new Set(cache.getAll().map(({ queryHash }) => queryHash));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const session = readToken();
  const sessionHash = hashToken(session);
  const write = async () => {
    timer = undefined;
    // The end of a guess is another change.
    const hashes = new Set([...unsaved].filter((hash) => !isGuessed(hash)));
    unsaved = new Set();
    const token = await sessionHash;
    // Do not write after a sign-out, perhaps in another tab. No await between this check and the write.
    if (token === undefined || readToken() !== session) return;
    try {
      await writeOfflineCache({ key: 'me', user, token, at: Date.now() }, hashes);
      setLoss('offline', false);
    } catch {
      unsaved = new Set([...hashes, ...unsaved]);
      setLoss('offline', true);
    }
  };
  const scheduleWrite = () => {
    timer ??= setTimeout(() => inOrder(write), WRITE_DELAY_MS);
  };
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== 'updated') return;
    if (event.action.type === 'error' && isGone(event.action.error)) return deleteCachedAnswer(event.query.queryKey);
    if (event.action.type !== 'success') return;
    unsaved.add(event.query.queryHash);
    scheduleWrite();
  });
  scheduleWrite();
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

async function writeOfflineCache(cachedUser: CachedUser, hashes: ReadonlySet<string>): Promise<void> {
  const shouldDehydrateQuery: NonNullable<Parameters<typeof dehydrate>[1]>['shouldDehydrateQuery'] = (query) =>
    hashes.has(query.queryHash) && query.state.status === 'success' && isCacheable(query.queryKey);
  const state = dehydrate(queryClient, { shouldDehydrateQuery, shouldDehydrateMutation: () => false });
  await withDatabase(OFFLINE_SCHEMA, 'readwrite', async (store) => {
    const previous: CachedUser | undefined = await promisifyRequest(store('person').get('me'));
    if (previous && previous.user.id !== cachedUser.user.id) store('answers').clear();
    store('person').put(cachedUser);
    for (const query of state.queries) {
      const cachedQuery: CachedQuery = { hash: query.queryHash, at: query.state.dataUpdatedAt, query };
      store('answers').put(cachedQuery);
    }
  });
}

/** Restores the cached queries of this session. Returns its user, or undefined if nothing is cached. */
export async function restoreOfflineCache(): Promise<User | undefined> {
  const token = await hashToken();
  if (token === undefined) return undefined;
  const now = Date.now();
  const isOld = (at: number) => now - at >= MAX_AGE_MS;
  const { cachedUser, cachedQueries } = await withDatabase(OFFLINE_SCHEMA, 'readwrite', async (store) => {
    const user: CachedUser | undefined = await promisifyRequest(store('person').get('me'));
    const all: CachedQuery[] = await promisifyRequest(store('answers').getAll());
    const newest = all.toSorted((a, b) => b.at - a.at);
    for (const { hash } of newest.filter(({ at }, index) => isOld(at) || index >= MAX_ENTRIES))
      store('answers').delete(hash);
    return { cachedUser: user, cachedQueries: newest.slice(0, MAX_ENTRIES).filter(({ at }) => !isOld(at)) };
  });
  if (!cachedUser) return undefined;
  // The cache belongs to another session.
  if (cachedUser.token !== token || isOld(cachedUser.at)) {
    clearOfflineCache();
    return undefined;
  }
  const state: DehydratedState = { mutations: [], queries: cachedQueries.map(({ query }) => query) };
  hydrate(queryClient, state, { defaultOptions: { queries: { gcTime: MAX_AGE_MS } } });
  return cachedUser.user;
}
