import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallFailed } from '../../contract/callClient.ts';
import { keepErrorsWhileRefetching } from '../api/keepErrors.ts';

let onExpiry: () => void = () => {};

/** Calls `listener` when an answer says that the session has ended. */
export function setExpiryListener(listener: () => void): void {
  onExpiry = listener;
}

function onError(error: unknown): void {
  if (error instanceof CallFailed && error.code === 'unauthenticated') onExpiry();
}

/** The data of the console, apart from that of the marketplace: another person may be signed in there. */
export const operatorQueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      // Other operators change what a page shows, by an approval for example.
      refetchInterval: 30_000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

keepErrorsWhileRefetching(operatorQueryClient);
