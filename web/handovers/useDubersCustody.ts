import { useIsMutating, useQuery } from '@tanstack/react-query';
import type { Delivery } from '../../contract/deliveries.ts';
import { api } from '../api/client.ts';
import { dubersCustodyKey, STEP_MUTATION } from '../api/queryKeys.ts';
import { doorNote, needsCustody } from './dubersCustody.ts';

const BUD_MAY_CHANGE_MS = 60_000;

type DubersDelivery = Pick<Delivery, 'id' | 'orderId' | 'status' | 'deliveryType' | 'duberId' | 'pickup'> & {
  /** Dashboards leave it out. */
  readonly attempt?: number;
};

/**
 * Who has the laundry of a delivery, for its Duber `duberId` while they need it. No event tells them that the Bud has chosen
 * something else. A page that does not know the delivery yet asks nothing.
 */
export function useDubersCustody(delivery: DubersDelivery | undefined, duberId: string) {
  const { orderId = '', id = '', attempt } = delivery ?? {};
  // The screen shows a step before the server has it, and until then the delivery may be nobody's.
  const isStepSent = useIsMutating({ mutationKey: STEP_MUTATION }) > 0;
  return useQuery({
    queryKey: [...dubersCustodyKey(id), attempt],
    queryFn: ({ signal }) => api.readCustody({ params: { id: orderId } }, { signal }),
    enabled: delivery !== undefined && needsCustody(delivery, duberId) && !isStepSent,
    refetchInterval: BUD_MAY_CHANGE_MS,
    refetchOnMount: 'always',
  });
}

/** What a Duber reads beside the step that hands the laundry over, where it may be left at the door. */
export const useDoorNote = (delivery: DubersDelivery, duberId: string): string | undefined =>
  doorNote(delivery, useDubersCustody(delivery, duberId).data?.leaveAtDoor);
