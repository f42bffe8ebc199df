import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
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
