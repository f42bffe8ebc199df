import { useQuery } from '@tanstack/react-query';
import type { Case } from '../../contract/cases.ts';
import type { DeliveryDetails } from '../../contract/deliveries.ts';
import type { Role } from '../../domain/accounts.ts';
import { LAUNDRY_STATUSES } from '../../domain/deliveries.ts';
import { readSession } from '../accounts/currentSession.ts';
import { deliveryQuery } from '../deliveries/deliveryQuery.ts';
import { CARRIER_REFETCH_MS, isCarrier } from '../deliveries/relay.ts';
import { isNotFound } from '../ui/errorMessage.ts';

type Carried = Pick<DeliveryDetails, 'status' | 'hasLaundry' | 'duberId' | 'isCarrier'>;

/** Whether a Duber has the laundry of a delivery: theirs, or one that another Duber takes over. */
export const hasLaundryOf = (delivery: Carried, userId: string): boolean =>
  isCarrier(delivery, userId) ||
  (delivery.duberId === userId && (delivery.hasLaundry || LAUNDRY_STATUSES.includes(delivery.status)));

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
  // A Duber cannot read the delivery once the next one has collected the laundry.
  return isAsked && (isNotFound(error) || (data !== undefined && !hasLaundryOf(data, userId)));
}
