import { useQuery } from '@tanstack/react-query';
import { DUBER_DASHBOARD_KEY, type DuberDashboardData, fetchDashboard } from '../dashboardQuery.ts';
import { type QueuedStep, useQueuedSteps } from './queuedStepStore.ts';

type Known = {
  readonly active: { readonly id: string } | null | undefined;
  /** The Duber's steps that wait on this device. */
  readonly queued: readonly Pick<QueuedStep, 'deliveryId' | 'action' | 'problem'>[];
};

/**
 * The delivery that keeps a Duber from accepting the offer `id`, or from setting off for it, if one is known. Steps of it that wait on the device may end it
 * before the offer is accepted: then the server says whether it does.
 */
export function blockingDelivery(id: string, { active, queued }: Known): string | undefined {
  const isOver = (one: string) => queued.some(({ deliveryId, action }) => deliveryId === one && action === 'delivered');
  // One that was accepted ahead, and for which they have set off here.
  const setOff = queued.find(
    ({ deliveryId, action, problem }) =>
      action === 'way-to-pickup' && problem === undefined && deliveryId !== id && !isOver(deliveryId),
  );
  if (setOff) return setOff.deliveryId;
  if (!active || active.id === id) return undefined;
  return queued.some(({ deliveryId }) => deliveryId === active.id) ? undefined : active.id;
}

const activeOf = ({ activeDelivery }: DuberDashboardData) => activeDelivery;

/** The same with what the dashboard says, which every page of a Duber keeps up to date. */
export function useBlockingDelivery(id: string, userId: string): string | undefined {
  const { data: active } = useQuery({
    queryKey: DUBER_DASHBOARD_KEY,
    queryFn: ({ signal }) => fetchDashboard(signal),
    select: activeOf,
    enabled: false,
  });
  return blockingDelivery(id, { active, queued: useQueuedSteps(userId) });
}
