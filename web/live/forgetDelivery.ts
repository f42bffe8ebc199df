import { queryClient } from '../api/queryClient.ts';
import { dubersCustodyKey } from '../api/queryKeys.ts';
import { type DuberDashboardData, DUBER_DASHBOARD_KEY as KEY, ownDeliveriesOf } from '../deliveries/dashboardQuery.ts';

/**
 * Forgets the page of a delivery, who had its laundry, and the dashboard while it shows it, as they were until `lostAt`. What was fetched since then
 * stays: loading this module can take longer than that.
 */
export async function forgetDelivery(id: string, lostAt: number): Promise<void> {
  const dashboard = queryClient.getQueryData<DuberDashboardData>(KEY);
  const isOnDashboard = dashboard !== undefined && ownDeliveriesOf(dashboard).some((own) => own.id === id);
  const key = ['deliveries', 'one', id];
  for (const queryKey of [key, dubersCustodyKey(id)]) queryClient.removeQueries({ queryKey, type: 'inactive' });
  const { deleteCachedAnswer } = await import('../offline/offlineCache.ts');
  for (const stale of isOnDashboard ? [key, KEY] : [key]) deleteCachedAnswer(stale, lostAt);
}
