import { queryClient } from '../api/queryClient.ts';
import { type DuberDashboardData, DUBER_DASHBOARD_KEY as KEY, ownDeliveriesOf } from './dashboardQuery.ts';

/** Deliveries that this Duber is giving to others, or has just given. Their event may come before the answer. */
const dropped = new Set<string>();

export const rememberDropped = (id: string): void => void dropped.add(id);
export const forgetDropped = (id: string): void => void dropped.delete(id);

/** Whether an offer is the delivery that this Duber has just lost or given to others: here, or on another device. */
export function isOwnOffer(id: string): boolean {
  const wasDropped = dropped.delete(id);
  const dashboard = queryClient.getQueryData<DuberDashboardData>(KEY);
  return wasDropped || (dashboard !== undefined && ownDeliveriesOf(dashboard).some((own) => own.id === id));
}
