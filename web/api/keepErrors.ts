import type { QueryClient } from '@tanstack/react-query';

/**
 * Shows the error of a query without data until the next try has ended. React Query forgets it when the try begins, and the page
 * would change from the error to loading and back whenever something fetches in the background.
 */
export function keepErrorsWhileRefetching(client: QueryClient): void {
  const errors = new Map<string, Error>();
  client.getQueryCache().subscribe((event) => {
    const { query, type } = event;
    const key = query.queryHash;
    // A later visit to the page starts with its loading state.
    if (type === 'removed' || (type === 'observerRemoved' && query.getObserversCount() === 0)) errors.delete(key);
    if (type !== 'updated') return;
    const { action } = event;
    if (action.type === 'error') errors.set(key, action.error);
    if (action.type === 'success') errors.delete(key);
    const error = errors.get(key);
    if (action.type === 'fetch' && query.state.data === undefined && error) query.setState({ status: 'error', error });
  });
}
