import type { DeliveryDetails } from '../../../contract/deliveries.ts';
import { useOffline } from '../../hooks/useOffline.ts';
import { useUser } from '../../session/session.ts';
import { planDelivery } from './planDelivery.ts';
import { type QueuedStep, useQueuedSteps } from './queuedStepStore.ts';

/** The user's steps of a delivery that wait on this device. */
export function useWaitingSteps(deliveryId: string): readonly QueuedStep[] {
  return useQueuedSteps(useUser().id, deliveryId).filter(({ problem }) => problem === undefined);
}

/** A delivery as it will be once the steps that wait on this device are sent, and those steps. */
export function usePlannedDelivery(delivery: DeliveryDetails): {
  planned: DeliveryDetails;
  waiting: readonly QueuedStep[];
} {
  const waiting = useWaitingSteps(delivery.id);
  return { planned: planDelivery(delivery, waiting), waiting };
}

/** Whether the others do not know yet that the Duber is at the door. */
export const useIsArrivalWaiting = (deliveryId: string): boolean =>
  useWaitingSteps(deliveryId).some(({ action }) => action === 'arrived-at-pickup' || action === 'arrived-at-drop');

export const NEEDS_NETWORK = 'This needs a network: it cannot wait on your phone. Try again where you have one.';
export const NEEDS_EARLIER_STEPS =
  'Your earlier steps are still waiting on your phone. This is possible once they are sent.';

/** Why what cannot wait on the device is not possible now, if it is not. */
export function useWhyNotNow(deliveryId: string): string | undefined {
  const [isOffline, waiting] = [useOffline(), useWaitingSteps(deliveryId)];
  if (isOffline) return NEEDS_NETWORK;
  return waiting.length > 0 ? NEEDS_EARLIER_STEPS : undefined;
}
