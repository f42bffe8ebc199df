import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallFailed, Unreachable } from '../contract/client.ts';
import { FAILURES } from '../contract/failures.ts';

type Listener = () => void;
const onExpired = new Set<Listener>();

/** Calls back when an answer says that the session is over. Gives the way to stop listening. */
export function listenForExpiry(listener: Listener): () => void {
  onExpired.add(listener);
  return () => onExpired.delete(listener);
}

/** Whether a call failed because its token is dead; a wrong password or reset link is a 401 too, with other words. */
export function isExpiry(error: unknown): boolean {
  return error instanceof CallFailed && error.statusCode === 401 && error.message === FAILURES.unauthenticated[1];
}

function notice(error: unknown): void {
  if (isExpiry(error)) for (const tell of onExpired) tell();
}

/** Repeats a read that may work the next time: no answer, or a server that is not ready. */
function mayRetry(failures: number, error: unknown): boolean {
  const isPassing = error instanceof Unreachable || (error instanceof CallFailed && error.statusCode === 503);
  return isPassing && failures < 1;
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    queries: { retry: mayRetry, staleTime: 5_000, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Asks anew for what something that happened has made old. What is being asked for the first time is asked again once its
 * answer is there: it may be from before, and to call it old meanwhile would say nothing.
 */
export async function askAnew(isOld: (query: Query) => boolean): Promise<void> {
  const isFirst = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined;
  const first = queries.getQueryCache().findAll({ predicate: (query) => isOld(query) && isFirst(query) });
  await queries.invalidateQueries({ predicate: isOld });
  await Promise.all(first.map(({ queryKey }) => queries.invalidateQueries({ queryKey, exact: true })));
}
