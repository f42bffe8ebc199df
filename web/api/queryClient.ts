import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import { readSession } from './currentSession.ts';
import { keepErrorsWhileRefetching } from './keepErrors.ts';

type Listener = () => void;
const expiryListeners = new Set<Listener>();

/** Calls `listener` when a response says that the session has expired. Returns the unsubscribe function. */
export function subscribeToSessionExpiry(listener: Listener): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

/** Whether a call failed because its token is no longer valid. A wrong password is a 401 too, with another code. */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof CallFailed && error.code === 'unauthenticated';
}

/** Tells the listeners when a call failed because the session has expired. For calls that are neither a query nor a mutation. */
export function notifyIfSessionExpired(error: unknown): void {
  if (isSessionExpired(error)) for (const notify of expiryListeners) notify();
}

/** Retries a query once when the server did not answer or is not ready. */
function mayRetry(failureCount: number, error: unknown): boolean {
  const isTemporary = error instanceof Unreachable || (error instanceof CallFailed && error.statusCode === 503);
  return isTemporary && failureCount < 1;
}

const pressedBy = new WeakMap<object, string | undefined>();

/**
 * Keeps the callbacks of a mutation from running, with a promise that never settles, when the person who started it is no longer
 * signed in. Otherwise the next person would see its toast, and what it writes into the cache would be stored for them. After a
 * sign-out a failure is still shown, until somebody else signs in.
 */
function waitIfNotTheirs(mutation: object, hasFailed: boolean): Promise<void> | undefined {
  const [before, now] = [pressedBy.get(mutation), readSession().user?.id];
  const isTheirs = before === undefined || before === now || (hasFailed && now === undefined);
  return isTheirs ? undefined : new Promise<void>(() => undefined);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notifyIfSessionExpired }),
  mutationCache: new MutationCache({
    onMutate: (_variables, mutation) => void pressedBy.set(mutation, readSession().user?.id),
    onSuccess: (_data, _variables, _context, mutation) => waitIfNotTheirs(mutation, false),
    onError: (error, _variables, _context, mutation) => {
      const isNobodys = waitIfNotTheirs(mutation, true);
      // The session that has expired is not that of the person who is signed in now.
      if (!isNobodys) notifyIfSessionExpired(error);
      return isNobodys;
    },
  }),
  defaultOptions: {
    queries: {
      ...{ retry: mayRetry, staleTime: 5_000, refetchOnWindowFocus: true, networkMode: 'always' },
      // An event arrives once, so a failed refetch must be retried here.
      refetchOnReconnect: ({ state }) => state.error !== null && 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

keepErrorsWhileRefetching(queryClient);

/** Refetches every query whose key begins with one of these words, such as all of `orders`. Nobody waits for it. */
export function refetchKinds(...kinds: readonly string[]): void {
  for (const kind of kinds) void queryClient.invalidateQueries({ queryKey: [kind] });
}

/**
 * Refetches the matching queries. A query on its first fetch is fetched again afterwards: its response may be older than
 * the change, and React Query does not restart a first fetch when it is invalidated.
 */
export async function invalidateMatching(isStale: (query: Query) => boolean): Promise<void> {
  const isFirstFetch = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined;
  const firstFetches = queryClient
    .getQueryCache()
    .findAll({ predicate: (query) => isStale(query) && isFirstFetch(query) });
  await queryClient.invalidateQueries({ predicate: isStale });
  await Promise.all(firstFetches.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey, exact: true })));
}
