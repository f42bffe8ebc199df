import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '../contract/payments.ts';
import { api } from './api.ts';
import { queryClient } from './queryClient.ts';

// Only while a first start adds the demo.
const POLL_MS = 1_000;
// A town may change its prices and policies at any time.
const STALE_MS = 5 * 60_000;

const configQuery = {
  queryKey: ['config'],
  queryFn: () => api.readConfig(),
  staleTime: STALE_MS,
} as const;

/** The installation's public configuration, or undefined while it loads. */
export function useConfig(): PublicConfig | undefined {
  return useQuery({ ...configQuery, refetchInterval: ({ state }) => (state.data?.isDemoPreparing ? POLL_MS : false) })
    .data;
}

export function fetchConfig(): Promise<PublicConfig> {
  return queryClient.fetchQuery(configQuery);
}
