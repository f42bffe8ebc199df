import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Role } from '../../domain/accounts.ts';
import { api } from '../api.ts';
import { setWaiting } from '../parts/title.ts';
import { queries } from '../queries.ts';

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
    queryKey: ['dashboards', 'duber'],
    queryFn: ({ signal }) => api.duberDashboard(undefined, { signal }),
    enabled: role === 'Duber',
    select: ({ activeDelivery, pendingDeliveries }) => (activeDelivery ? 0 : pendingDeliveries.length),
  }).data;
  const unseen = useUnseen(role === 'Bud');
  const counts = { Scrub: jobs ?? 0, Duber: deliveries ?? 0, Bud: unseen };
  useEffect(() => {
    setWaiting(counts[role]);
  }, [counts[role]]);
  useEffect(() => () => setWaiting(0), []);
}

/** How often something that is shown has changed since the person last looked at this tab. */
function useUnseen(isCounting: boolean): number {
  const [unseen, setUnseen] = useState(0);
  useEffect(() => {
    if (!isCounting) return;
    const seen = () => {
      if (!document.hidden) setUnseen(0);
    };
    document.addEventListener('visibilitychange', seen);
    const stop = queries.getQueryCache().subscribe(({ type, query }) => {
      const isNews = type === 'updated' && query.queryKey[1] === 'one' && query.state.isInvalidated;
      if (isNews && document.hidden) setUnseen((count) => count + 1);
    });
    return () => {
      document.removeEventListener('visibilitychange', seen);
      stop();
    };
  }, [isCounting]);
  return unseen;
}
