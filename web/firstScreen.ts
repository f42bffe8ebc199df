import type { LoaderFunction } from 'react-router';
import { isPrefetched, readToken } from './api/client.ts';
import { queryClient } from './api/queryClient.ts';
import { restoreSessionAtStart } from './session/session.ts';

// The first requests are sent before the scripts are loaded, so the answer is usually there already.
const MAX_WAIT_MS = 300;

type Query = Parameters<typeof queryClient.prefetchQuery>[0];

let isShown = false;

const waitAMoment = () => new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS));

/** Waits a moment for the session, so that the first render is that of a signed-in user. */
export async function waitForSession(): Promise<void> {
  if (readToken() !== undefined) await Promise.race([restoreSessionAtStart(), waitAMoment()]);
}

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
    await Promise.race([queryClient.prefetchQuery(queryOf(params.orderId ?? '')), waitAMoment()]);
    return null;
  };
