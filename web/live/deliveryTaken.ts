import type { StepEvent } from '../../contract/events.ts';
import { invalidateMatching, queryClient } from '../api/queryClient.ts';
import {
  type DuberDashboardData,
  fetchDashboard,
  DUBER_DASHBOARD_KEY as KEY,
  ownDeliveriesOf,
} from '../deliveries/dashboardQuery.ts';
import { toast } from '../ui/toast.tsx';
import { isAffected } from './affectedQueries.ts';

/**
 * Handles a pending delivery that was accepted by this Duber on another device or by another Duber. Only the dashboard
 * can tell which: fetching another Duber's delivery is an error, except for the one who keeps its laundry until the next one
 * collects it.
 */
export async function handleDeliveryTaken(event: StepEvent, leavePage: () => boolean): Promise<void> {
  const dashboardBefore = queryClient.getQueryData<DuberDashboardData>(KEY);
  const wasShown = dashboardBefore?.pendingDeliveries.some(({ delivery }) => delivery.id === event.id) ?? false;
  // A response in flight may be older than the event.
  await queryClient.cancelQueries({ queryKey: KEY });
  const dashboard = await queryClient
    .fetchQuery({ queryKey: KEY, queryFn: () => fetchDashboard(), staleTime: 0 })
    .catch(() => undefined);
  if (!dashboard) return;
  const { latestDeliveries, carriedDeliveries = [] } = dashboard;
  const known = [...ownDeliveriesOf(dashboard), ...latestDeliveries, ...carriedDeliveries];
  if (known.some(({ id }) => id === event.id)) {
    await invalidateMatching(
      ({ queryKey: key, state: { data } }) => key[0] !== 'dashboards' && isAffected({ key, data }, event),
    );
    return;
  }
  const hasLeft = leavePage();
  forgetLostDelivery(event.id);
  if (wasShown || hasLeft) toast.info('Delivery taken', { description: 'Another Duber got there first.' });
}

/** A Duber who has lost a delivery may no longer see its people: neither in memory nor stored on the device. */
export function forgetLostDelivery(id: string): void {
  const lostAt = Date.now();
  void import('./forgetDelivery.ts').then((module) => module.forgetDelivery(id, lostAt)).catch(() => undefined);
}
