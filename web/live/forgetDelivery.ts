import { type DuberDashboardData, DUBER_DASHBOARD_KEY as KEY } from '../deliveries/dashboardQuery.ts';
import { forgetSeen } from '../offline/offlineCache.ts';
import { queryClient } from '../queryClient.ts';

/** Forgets the page of a delivery, and the dashboard while it shows it: that is stored again once it was fetched without it. */
export function forgetDelivery(id: string): void {
  const isOnDashboard = queryClient.getQueryData<DuberDashboardData>(KEY)?.activeDelivery?.id === id;
  const key = ['deliveries', 'one', id];
  queryClient.removeQueries({ queryKey: key, type: 'inactive' });
  for (const stale of isOnDashboard ? [key, KEY] : [key]) forgetSeen(stale);
}
