import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '../../contract/payments.ts';
import { currentTime } from '../clock.ts';
import { api } from './client.ts';
import { queryClient } from './queryClient.ts';

// Only while a first start adds the demo.
const POLL_MS = 1_000;
// A town may change its prices and policies at any time.
const STALE_MS = 5 * 60_000;
const PAUSE_STALE_MS = 30_000;

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

/** Until when no new orders are taken, and why; undefined while they are. Asked for again soon: a pause may begin at any time. */
export function usePause(): PublicConfig['pause'] {
  const { data } = useQuery({ ...configQuery, staleTime: PAUSE_STALE_MS });
  return data?.pause && Date.parse(data.pause.until) > currentTime().getTime() ? data.pause : undefined;
}

/** Reads the configuration again, after an answer that it does not explain. */
export function refreshConfig(): void {
  void queryClient.invalidateQueries({ queryKey: configQuery.queryKey });
}

export function fetchConfig(): Promise<PublicConfig> {
  return queryClient.fetchQuery(configQuery);
}
