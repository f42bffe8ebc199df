import type { StepEvent } from '../../contract/events.ts';
import { askDashboard, type DuberDashboard, DUBER_DASHBOARD as KEY } from '../deliveries/dashboardQuery.ts';
import { askAnew, queries } from '../queries.ts';
import { toast } from '../ui/toast.tsx';
import { isTouched } from './affectedQueries.ts';

/**
 * A pending delivery was taken: by this Duber, perhaps on another device, or by somebody else. Only the dashboard
 * tells which, and asking for a delivery that is somebody else's would be an error.
 */
export async function settleTaken(event: StepEvent, leavePage: () => boolean): Promise<void> {
  const before = queries.getQueryData<DuberDashboard>(KEY);
  const wasShown = before?.pendingDeliveries.some(({ delivery }) => delivery.id === event.id) ?? false;
  // An answer that is on its way may be older than the event.
  await queries.cancelQueries({ queryKey: KEY });
  const now = await queries
    .fetchQuery({ queryKey: KEY, queryFn: () => askDashboard(), staleTime: 0 })
    .catch(() => undefined);
  if (!now) return;
  const own = [now.activeDelivery, ...now.latestDeliveries];
  if (own.some((delivery) => delivery?.id === event.id)) {
    await askAnew(
      ({ queryKey: key, state: { data } }) => key[0] !== 'dashboards' && isTouched({ key, data }, event, 'Duber'),
    );
    return;
  }
  const hasLeft = leavePage();
  queries.removeQueries({ queryKey: ['deliveries', 'one', event.id], type: 'inactive' });
  if (wasShown || hasLeft) toast.info('Delivery taken', { description: 'Another Duber was faster.' });
}
