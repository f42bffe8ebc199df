import { useQuery } from '@tanstack/react-query';
import type { Case } from '../../contract/cases.ts';
import type { Delivery } from '../../contract/deliveries.ts';
import type { Role } from '../../domain/accounts.ts';
import { deliveryQuery } from '../api/queries.ts';

type Failed = Pick<Delivery, 'status' | 'situation' | 'reOffers'>;

/** Whether the order asks its Bud what happens next. After the second time only the town can offer the delivery again. */
export function isBudAsked({ status, situation, reOffers }: Failed): boolean {
  // Its next Duber was at the place of the earlier one, and nobody gave them the laundry.
  const hasRelayFailed = situation === 'relayed' && status === 'Failed';
  return (situation === 'not-collected' || situation === 'brought-back' || hasRelayFailed) && !reOffers;
}

/** The same for the delivery of a case. Until the delivery is known, no. */
export function useIsBudAsked({ kind, status, deliveryId }: Case, role: Role): boolean {
  const isAboutFailure = status === 'with-town' && (kind === 'failed-pickup' || kind === 'failed-drop');
  const id = deliveryId ?? '';
  const { data } = useQuery({
    ...deliveryQuery(id),
    enabled: isAboutFailure && id !== '' && role !== 'Duber',
  });
  return isAboutFailure && role !== 'Duber' && data !== undefined && isBudAsked(data);
}
