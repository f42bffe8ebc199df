import { useQuery } from '@tanstack/react-query';
import type { Case } from '../../contract/cases.ts';
import type { DeliveryDetails } from '../../contract/deliveries.ts';
import type { Custody } from '../../contract/handovers.ts';
import type { Role } from '../../domain/accounts.ts';
import { isWithLaundry } from '../../domain/deliveries.ts';
import { readSession } from '../api/currentSession.ts';
import { deliveryQuery } from '../api/queries.ts';
import { isRelayedPickup, isRelaySender, relayRefetchMs } from '../handovers/relay.ts';
import { useDubersCustody } from '../handovers/useDubersCustody.ts';
import { isNotFound } from '../ui/errorMessage.ts';
import type { RelayedLaundry } from './caseTexts.ts';

type Carried = Pick<DeliveryDetails, 'status' | 'hasLaundry' | 'duberId' | 'isCarrier' | 'pickup'>;

/**
 * Whether a Duber has the laundry of a delivery: theirs, or one that another Duber takes over. Of one that they accepted again
 * after they could not go on with it, the custody says so; until that is known, yes.
 */
export function hasLaundryOf(delivery: Carried, userId: string, custody: Pick<Custody, 'holder'> | undefined): boolean {
  const { duberId, hasLaundry, status } = delivery;
  if (duberId !== userId) return isRelaySender(delivery, userId);
  if (isRelayedPickup(delivery) && !hasLaundry) return custody === undefined || custody.holder.id === userId;
  return hasLaundry || isWithLaundry(status);
}

/**
 * What a Duber who could not go on reads of the laundry. They cannot read the delivery once the next one has collected it, nor once
 * it is called off; of one that was called off after they had accepted it again, they may still have it.
 */
export function relayedLaundryOf(
  delivery: Carried | undefined,
  userId: string,
  { isHidden, custody }: { isHidden: boolean; custody: Pick<Custody, 'holder'> | undefined },
): RelayedLaundry {
  if (isHidden || delivery?.status === 'Called_Off') return 'unknown';
  return delivery === undefined || hasLaundryOf(delivery, userId, custody) ? 'kept' : 'gone';
}

/** The same for a case. It waits for the town even when the laundry has left its Duber. */
export function useRelayedLaundry({ kind, status, deliveryId }: Case, role: Role): RelayedLaundry {
  const isAsked = kind === 'relay' && status === 'with-town' && role === 'Duber';
  const id = deliveryId ?? '';
  const userId = readSession().user?.id ?? '';
  const { data, error } = useQuery({
    ...deliveryQuery(id),
    enabled: isAsked && id !== '',
    // No event of the next Duber's steps goes to them.
    refetchInterval: (query) => relayRefetchMs(query, true),
  });
  const { data: custody } = useDubersCustody(isAsked ? data : undefined, userId);
  return isAsked ? relayedLaundryOf(data, userId, { isHidden: isNotFound(error), custody }) : 'kept';
}
