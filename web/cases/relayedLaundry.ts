import { useQuery } from '@tanstack/react-query';
import type { Case } from '../../contract/cases.ts';
import type { DeliveryDetails } from '../../contract/deliveries.ts';
import type { Custody } from '../../contract/handovers.ts';
import type { Role } from '../../domain/accounts.ts';
import { LAUNDRY_STATUSES } from '../../domain/deliveries.ts';
import { readSession } from '../accounts/currentSession.ts';
import { deliveryQuery } from '../deliveries/deliveryQuery.ts';
import { CARRIER_REFETCH_MS, isCarrier, isRelayedPickup } from '../deliveries/relay.ts';
import { useDubersCustody } from '../handovers/useDubersCustody.ts';
import { isNotFound } from '../ui/errorMessage.ts';

type Carried = Pick<DeliveryDetails, 'status' | 'hasLaundry' | 'duberId' | 'isCarrier' | 'pickup'>;

/**
 * Whether a Duber has the laundry of a delivery: theirs, or one that another Duber takes over. Of one that they accepted again
 * after they could not go on with it, the custody says so; until that is known, yes.
 */
export function hasLaundryOf(delivery: Carried, userId: string, custody: Pick<Custody, 'holder'> | undefined): boolean {
  const { duberId, hasLaundry, status } = delivery;
  if (duberId !== userId) return isCarrier(delivery, userId);
  if (isRelayedPickup(delivery) && !hasLaundry) return custody === undefined || custody.holder.id === userId;
  return hasLaundry || LAUNDRY_STATUSES.includes(status);
}

/** Whether the laundry has left the Duber who said that they cannot go on. The case waits for the town even so. Until that is known, no. */
export function useIsLaundryGone({ kind, status, deliveryId }: Case, role: Role): boolean {
  const isAsked = kind === 'relay' && status === 'with-town' && role === 'Duber';
  const id = deliveryId ?? '';
  const userId = readSession().user?.id ?? '';
  const { data, error } = useQuery({
    ...deliveryQuery(id),
    enabled: isAsked && id !== '',
    // No event of the next Duber's steps goes to them.
    refetchInterval: (query) => (isNotFound(query.state.error) ? false : CARRIER_REFETCH_MS),
  });
  const { data: custody } = useDubersCustody(isAsked ? data : undefined, userId);
  // A Duber cannot read the delivery once the next one has collected the laundry.
  return isAsked && (isNotFound(error) || (data !== undefined && !hasLaundryOf(data, userId, custody)));
}
