import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '../contract/payments.ts';
import { api } from './api.ts';
import { queries } from './queries.ts';

const asked = { queryKey: ['config'], queryFn: () => api.readConfig(), staleTime: Number.POSITIVE_INFINITY } as const;

/** The installation's public configuration, or undefined until it is there. */
export function useConfig(): PublicConfig | undefined {
  return useQuery(asked).data;
}

export function readConfig(): Promise<PublicConfig> {
  return queries.fetchQuery(asked);
}
