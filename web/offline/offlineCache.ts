import { type DehydratedState, dehydrate, hydrate, type QueryKey } from '@tanstack/react-query';
import type { User } from '../../contract/accounts.ts';
import { readToken } from '../api.ts';
import { isPositionKey } from '../deliveries/position/usePosition.ts';
import { queryClient } from '../queryClient.ts';
import { clearOfflineCache, OFFLINE_DATABASE } from './clearOfflineCache.ts';
import { type DatabaseSchema, promisifyRequest, withDatabase } from './indexedDb.ts';

/** What is older than this is not shown again: it holds names and addresses of people. */
const MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000;
const MAX_ENTRIES = 100;
const WRITE_DELAY_MS = 1_000;

// A new version whenever the answers look otherwise than before: the old ones are let go.
const SCHEMA: DatabaseSchema = { name: OFFLINE_DATABASE, version: 2, stores: { person: 'key', answers: 'hash' } };

type CachedUser = { readonly key: 'me'; readonly user: User; readonly token: string; readonly at: number };
type CachedQuery = { readonly hash: string; readonly at: number; readonly query: DehydratedState['queries'][number] };

// Everything that the screens show; a Duber's place is gone an hour after the delivery, here as well.
const CACHED_KINDS = ['orders', 'deliveries', 'dashboards', 'earnings', 'profile', 'config'];
const isCacheable = (key: QueryKey) => CACHED_KINDS.includes(String(key[0])) && !isPositionKey(key);

/** A mark of the session in use, which does not give the token away; undefined without one. */
async function hashToken(token = readToken()): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keeps on this device what the signed-in person sees, until it is called off. */
export function startOfflineCache(user: User): () => void {
  // Outside secure contexts there is neither a worker to open the app offline nor a digest.
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return () => undefined;
  const cache = queryClient.getQueryCache();
  let fresh = new Set(cache.getAll().map(({ queryHash }) => queryHash));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const session = readToken();
  const mark = hashToken(session);
  const write = async () => {
    timer = undefined;
    const hashes = fresh;
    fresh = new Set();
    const token = await mark;
    // Whoever has left meanwhile, perhaps in another tab, has nothing kept any more: looked at last, with no wait after it.
    if (token === undefined || readToken() !== session) return;
    await writeOfflineCache({ key: 'me', user, token, at: Date.now() }, hashes);
  };
  const soon = () => {
    timer ??= setTimeout(() => void write().catch(() => undefined), WRITE_DELAY_MS);
  };
  const leave = cache.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    fresh.add(event.query.queryHash);
    soon();
  });
  soon();
  return () => {
    leave();
    clearTimeout(timer);
  };
}

async function writeOfflineCache(person: CachedUser, hashes: ReadonlySet<string>): Promise<void> {
  const shouldDehydrateQuery: NonNullable<Parameters<typeof dehydrate>[1]>['shouldDehydrateQuery'] = (query) =>
    hashes.has(query.queryHash) && query.state.status === 'success' && isCacheable(query.queryKey);
  const state = dehydrate(queryClient, { shouldDehydrateQuery, shouldDehydrateMutation: () => false });
  await withDatabase(SCHEMA, 'readwrite', async (store) => {
    const before: CachedUser | undefined = await promisifyRequest(store('person').get('me'));
    if (before && before.user.id !== person.user.id) store('answers').clear();
    store('person').put(person);
    for (const query of state.queries) {
      const kept: CachedQuery = { hash: query.queryHash, at: query.state.dataUpdatedAt, query };
      store('answers').put(kept);
    }
  });
}

/** Puts what the person of this session has seen back on the screens, and gives who that is. */
export async function restoreOfflineCache(): Promise<User | undefined> {
  const token = await hashToken();
  if (token === undefined) return undefined;
  const now = Date.now();
  const isOld = (at: number) => now - at >= MAX_AGE_MS;
  const { person, kept } = await withDatabase(SCHEMA, 'readwrite', async (store) => {
    const me: CachedUser | undefined = await promisifyRequest(store('person').get('me'));
    const all: CachedQuery[] = await promisifyRequest(store('answers').getAll());
    const newest = all.toSorted((a, b) => b.at - a.at);
    for (const { hash } of newest.filter(({ at }, index) => isOld(at) || index >= MAX_ENTRIES))
      store('answers').delete(hash);
    return { person: me, kept: newest.slice(0, MAX_ENTRIES).filter(({ at }) => !isOld(at)) };
  });
  if (!person) return undefined;
  // Somebody else's, or of a session that is over: it should not be here at all.
  if (person.token !== token || isOld(person.at)) {
    clearOfflineCache();
    return undefined;
  }
  const state: DehydratedState = { mutations: [], queries: kept.map(({ query }) => query) };
  hydrate(queryClient, state, { defaultOptions: { queries: { gcTime: MAX_AGE_MS } } });
  return person.user;
}
