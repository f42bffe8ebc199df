import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Role } from '../../domain/accounts.ts';
import { api } from '../api.ts';
import { askDashboard, DUBER_DASHBOARD } from '../deliveries/dashboardQuery.ts';
import { setWaiting } from '../hooks/documentTitle.ts';

const REQUESTED = {
  pageSize: '1', // spec 9
  fields: 'id',
  filters: JSON.stringify([{ field: 'status', operator: 'eq', value: 'Requested' }]),
};

/** Counts in the tab's title what waits: a Scrub's unanswered jobs, a Duber's deliveries nearby, a Bud's unseen news. */
export function useWaiting(role: Role): void {
  const jobs = useQuery({
    queryKey: ['orders', 'list', 'waiting'],
    queryFn: ({ signal }) => api.listOrders({ query: REQUESTED }, { signal }),
    enabled: role === 'Scrub',
    select: ({ data }) => data.totalCount,
  }).data;
  const deliveries = useQuery({
    queryKey: DUBER_DASHBOARD,
    queryFn: ({ signal }) => askDashboard(signal),
    enabled: role === 'Duber',
    select: ({ activeDelivery, pendingDeliveries }) => (activeDelivery ? 0 : pendingDeliveries.length),
  }).data;
  const news = useSyncExternalStore(listen, () => unseen);
  const counts = { Scrub: jobs ?? 0, Duber: deliveries ?? 0, Bud: news };
  useEffect(() => {
    setWaiting(counts[role]);
  }, [counts[role]]);
  useEffect(() => () => setWaiting(0), []);
}

let unseen = 0;
const listeners = new Set<() => void>();

function setUnseen(count: number): void {
  unseen = count;
  for (const tell of listeners) tell();
}

/** Counts an event that came while nobody looked at this tab. */
export function countUnseen(): void {
  if (document.hidden) setUnseen(unseen + 1);
}

function listen(changed: () => void): () => void {
  const look = () => {
    if (!document.hidden) setUnseen(0);
  };
  listeners.add(changed);
  document.addEventListener('visibilitychange', look);
  return () => {
    listeners.delete(changed);
    document.removeEventListener('visibilitychange', look);
  };
}
