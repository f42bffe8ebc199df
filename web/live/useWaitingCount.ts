import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { COUNT_FIELDS } from '../../contract/screenFields.ts';
import type { Role } from '../../domain/accounts.ts';
import { api } from '../api/client.ts';
import { currentTime } from '../clock.ts';
import { DUBER_DASHBOARD_KEY, fetchDashboard, offersToAccept } from '../deliveries/dashboardQuery.ts';
import { setWaitingCount } from '../hooks/documentTitle.ts';

const REQUESTED_ORDERS_QUERY = {
  pageSize: '1', // spec 9
  fields: COUNT_FIELDS,
  filters: JSON.stringify([{ field: 'status', operator: 'eq', value: 'Requested' }]),
};

/** Shows a count in the tab's title: a Scrub's unanswered jobs, a Duber's nearby deliveries as far as they are shown, a Bud's unseen events. */
export function useWaitingCount(role: Role): void {
  const jobs = useQuery({
    queryKey: ['orders', 'list', 'waiting'],
    queryFn: ({ signal }) => api.listOrders({ query: REQUESTED_ORDERS_QUERY }, { signal }),
    enabled: role === 'Scrub',
    select: ({ data }) => data.totalCount,
  }).data;
  const deliveries = useQuery({
    queryKey: DUBER_DASHBOARD_KEY,
    queryFn: ({ signal }) => fetchDashboard(signal),
    enabled: role === 'Duber',
    select: (dashboard) => offersToAccept(dashboard, currentTime()).length,
  }).data;
  const events = useSyncExternalStore(subscribe, () => unseenCount);
  const counts = { Scrub: jobs ?? 0, Duber: deliveries ?? 0, Bud: events };
  useEffect(() => {
    setWaitingCount(counts[role]);
  }, [counts[role]]);
  useEffect(() => () => setWaitingCount(0), []);
}

let unseenCount = 0;
const listeners = new Set<() => void>();

function setUnseenCount(count: number): void {
  unseenCount = count;
  for (const notify of listeners) notify();
}

/** Counts an event that arrives while this tab is hidden. */
export function countUnseenEvent(): void {
  if (document.hidden) setUnseenCount(unseenCount + 1);
}

function subscribe(onChange: () => void): () => void {
  const resetWhenVisible = () => {
    if (!document.hidden) setUnseenCount(0);
  };
  listeners.add(onChange);
  document.addEventListener('visibilitychange', resetWhenVisible);
  return () => {
    listeners.delete(onChange);
    document.removeEventListener('visibilitychange', resetWhenVisible);
  };
}
