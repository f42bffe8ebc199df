import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Role } from '../../domain/accounts.ts';
import { api } from '../api.ts';
import { DUBER_DASHBOARD_KEY, fetchDashboard } from '../deliveries/dashboardQuery.ts';
import { setWaitingCount } from '../hooks/documentTitle.ts';

const REQUESTED_ORDERS_QUERY = {
  pageSize: '1', // spec 9
  fields: 'id',
  filters: JSON.stringify([{ field: 'status', operator: 'eq', value: 'Requested' }]),
};

/** Counts in the tab's title what waits: a Scrub's unanswered jobs, a Duber's deliveries nearby, a Bud's unseen news. */
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
    select: ({ activeDelivery, pendingDeliveries }) => (activeDelivery ? 0 : pendingDeliveries.length),
  }).data;
  const news = useSyncExternalStore(subscribe, () => unseenCount);
  const counts = { Scrub: jobs ?? 0, Duber: deliveries ?? 0, Bud: news };
  useEffect(() => {
    setWaitingCount(counts[role]);
  }, [counts[role]]);
  useEffect(() => () => setWaitingCount(0), []);
}

let unseenCount = 0;
const listeners = new Set<() => void>();

function setUnseenCount(count: number): void {
  unseenCount = count;
  for (const tell of listeners) tell();
}

/** Counts an event that came while nobody looked at this tab. */
export function countUnseenEvent(): void {
  if (document.hidden) setUnseenCount(unseenCount + 1);
}

function subscribe(changed: () => void): () => void {
  const look = () => {
    if (!document.hidden) setUnseenCount(0);
  };
  listeners.add(changed);
  document.addEventListener('visibilitychange', look);
  return () => {
    listeners.delete(changed);
    document.removeEventListener('visibilitychange', look);
  };
}
