import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallFailed, Unreachable } from '../contract/client.ts';
import { FAILURES } from '../contract/failures.ts';

type Listener = () => void;
const expiryListeners = new Set<Listener>();

/** Calls back when an answer says that the session is over. Gives the way to stop listening. */
export function subscribeToSessionExpiry(listener: Listener): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

/** Whether a call failed because its token is dead; a wrong password or reset link is a 401 too, with other words. */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof CallFailed && error.statusCode === 401 && error.message === FAILURES.unauthenticated[1];
}

function notifyIfSessionExpired(error: unknown): void {
  if (isSessionExpired(error)) for (const tell of expiryListeners) tell();
}

/** Repeats a read that may work the next time: no answer, or a server that is not ready. */
function mayRetry(failures: number, error: unknown): boolean {
  const isPassing = error instanceof Unreachable || (error instanceof CallFailed && error.statusCode === 503);
  return isPassing && failures < 1;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notifyIfSessionExpired }),
  mutationCache: new MutationCache({ onError: notifyIfSessionExpired }),
  defaultOptions: {
    queries: { retry: mayRetry, staleTime: 5_000, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Asks anew for what something that happened has made old. What is being asked for the first time is asked again once its
 * answer is there: it may be from before, and to call it old meanwhile would say nothing.
 */
export async function invalidateMatching(isOld: (query: Query) => boolean): Promise<void> {
  const isFirst = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined;
  const first = queryClient.getQueryCache().findAll({ predicate: (query) => isOld(query) && isFirst(query) });
  await queryClient.invalidateQueries({ predicate: isOld });
  await Promise.all(first.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey, exact: true })));
}
