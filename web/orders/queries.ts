import { BUD_DASHBOARD_FIELDS, SCRUB_DASHBOARD_FIELDS } from '../../contract/screenFields.ts';
import { api } from '../api/client.ts';

type Fetching = { readonly signal: AbortSignal };

export const BUD_DASHBOARD_QUERY = {
  queryKey: ['dashboards', 'bud', BUD_DASHBOARD_FIELDS],
  queryFn: ({ signal }: Fetching) => api.budDashboard({ query: { fields: BUD_DASHBOARD_FIELDS } }, { signal }),
} as const;

/** A job on the board of its Scrub. */
export type BoardJob = NonNullable<Awaited<ReturnType<(typeof SCRUB_DASHBOARD_QUERY)['queryFn']>>['openJobs']>[number];

export const SCRUB_DASHBOARD_QUERY = {
  queryKey: ['dashboards', 'scrub', SCRUB_DASHBOARD_FIELDS],
  queryFn: ({ signal }: Fetching) => api.scrubDashboard({ query: { fields: SCRUB_DASHBOARD_FIELDS } }, { signal }),
} as const;
