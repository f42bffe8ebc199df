import type { LoaderFunction } from 'react-router';
import { isPrefetched } from './api.ts';
import { queryClient } from './queryClient.ts';

// The first requests are sent before the scripts are loaded, so the answer is usually there already.
const MAX_WAIT_MS = 300;

type Query = Parameters<typeof queryClient.prefetchQuery>[0];

let isShown = false;

/** From here on, screens appear at once and load their data themselves. */
export function endFirstScreen(): void {
  isShown = true;
}

/**
 * A loader of the router. The first screen waits a moment for its data, so that it appears complete: nothing moves when the
 * data arrives, and nothing is drawn twice.
 */
export const loadOnFirstScreen =
  (queryOf: (id: string) => Query): LoaderFunction =>
  async ({ params, request }) => {
    // Only the screen whose data was requested before the scripts: another one may not be this user's.
    if (isShown || !isPrefetched(new URL(request.url).pathname)) return null;
    const timeout = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
    await Promise.race([queryClient.prefetchQuery(queryOf(params.orderId ?? '')), timeout]);
    return null;
  };
