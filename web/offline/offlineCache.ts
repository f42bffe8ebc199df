import { type DehydratedState, dehydrate, hydrate, type QueryKey } from '@tanstack/react-query';
import type { User } from '../../contract/accounts.ts';
import { readToken } from '../api.ts';
import { isPositionKey } from '../deliveries/position/usePosition.ts';
import { queries } from '../queries.ts';
import { forgetSeen, SEEN } from './clearOfflineCache.ts';
import { answered, type Shape, withDatabase } from './indexedDb.ts';

/** What is older than this is not shown again: it holds names and addresses of people. */
const SEEN_FOR_MS = 3 * 24 * 60 * 60 * 1000;
const ANSWERS_AT_MOST = 100;
const GATHER_MS = 1_000;

// A new version whenever the answers look otherwise than before: the old ones are let go.
const SHAPE: Shape = { name: SEEN, version: 1, stores: { person: 'key', answers: 'hash' } };

type Person = { readonly key: 'me'; readonly user: User; readonly token: string; readonly at: number };
type Kept = { readonly hash: string; readonly at: number; readonly query: DehydratedState['queries'][number] };

// Everything that the screens show; a Duber's place is gone an hour after the delivery, here as well.
const KINDS = ['orders', 'deliveries', 'dashboards', 'earnings', 'profile', 'config'];
const isKept = (key: QueryKey) => KINDS.includes(String(key[0])) && !isPositionKey(key);

/** A mark of the session in use, which does not give the token away; undefined without one. */
async function markOf(token = readToken()): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keeps on this device what the signed-in person sees, until it is called off. */
export function keepSeen(user: User): () => void {
  // Outside secure contexts there is neither a worker to open the app offline nor a digest.
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return () => undefined;
  const cache = queries.getQueryCache();
  let fresh = new Set(cache.getAll().map(({ queryHash }) => queryHash));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const session = readToken();
  const mark = markOf(session);
  const write = async () => {
    timer = undefined;
    const hashes = fresh;
    fresh = new Set();
    const token = await mark;
    // Whoever has left meanwhile, perhaps in another tab, has nothing kept any more: looked at last, with no wait after it.
    if (token === undefined || readToken() !== session) return;
    await writeSeen({ key: 'me', user, token, at: Date.now() }, hashes);
  };
  const soon = () => {
    timer ??= setTimeout(() => void write().catch(() => undefined), GATHER_MS);
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

async function writeSeen(person: Person, hashes: ReadonlySet<string>): Promise<void> {
  const shouldDehydrateQuery: NonNullable<Parameters<typeof dehydrate>[1]>['shouldDehydrateQuery'] = (query) =>
    hashes.has(query.queryHash) && query.state.status === 'success' && isKept(query.queryKey);
  const state = dehydrate(queries, { shouldDehydrateQuery, shouldDehydrateMutation: () => false });
  await withDatabase(SHAPE, 'readwrite', async (store) => {
    const before: Person | undefined = await answered(store('person').get('me'));
    if (before && before.user.id !== person.user.id) store('answers').clear();
    store('person').put(person);
    for (const query of state.queries) {
      const kept: Kept = { hash: query.queryHash, at: query.state.dataUpdatedAt, query };
      store('answers').put(kept);
    }
  });
}

/** Puts what the person of this session has seen back on the screens, and gives who that is. */
export async function recallSeen(): Promise<User | undefined> {
  const token = await markOf();
  if (token === undefined) return undefined;
  const now = Date.now();
  const isOld = (at: number) => now - at >= SEEN_FOR_MS;
  const { person, kept } = await withDatabase(SHAPE, 'readwrite', async (store) => {
    const me: Person | undefined = await answered(store('person').get('me'));
    const all: Kept[] = await answered(store('answers').getAll());
    const newest = all.toSorted((a, b) => b.at - a.at);
    for (const { hash } of newest.filter(({ at }, index) => isOld(at) || index >= ANSWERS_AT_MOST))
      store('answers').delete(hash);
    return { person: me, kept: newest.slice(0, ANSWERS_AT_MOST).filter(({ at }) => !isOld(at)) };
  });
  if (!person) return undefined;
  // Somebody else's, or of a session that is over: it should not be here at all.
  if (person.token !== token || isOld(person.at)) {
    forgetSeen();
    return undefined;
  }
  const state: DehydratedState = { mutations: [], queries: kept.map(({ query }) => query) };
  hydrate(queries, state, { defaultOptions: { queries: { gcTime: SEEN_FOR_MS } } });
  return person.user;
}
