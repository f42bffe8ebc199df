import type { Delivery } from '../../contract/deliveries.ts';
import { ACTIVE_STATUSES, isAhead, isBeforePickup } from '../../domain/deliveries.ts';
import { isRelayedPickup, type RelayRole } from '../handovers/relay.ts';
import type { MapStop } from '../places/MapCard.tsx';
import { firstNameOf } from '../ui/format.ts';
import { pickupAndDropOf } from './pickupAndDrop.ts';

type NextStop = MapStop & {
  /** Who waits there, as part of a sentence. */
  readonly name: string;
  readonly phone: string | null;
};

/**
 * Whether the Duber drives this delivery now. One that failed has stopped until they choose what comes next, and one that was accepted
 * ahead waits for its window.
 */
export const isDriving = (delivery: Pick<Delivery, 'status' | 'window'>): boolean =>
  ACTIVE_STATUSES.includes(delivery.status) && !isAhead(delivery);

/**
 * Where the Duber of a delivery goes now. Laundry that is brought back goes to its sender, and the holder of relayed laundry has
 * nothing to collect.
 */
export function nextStopOf(delivery: Delivery, side: RelayRole): NextStop {
  const { status, deliveryType, bud, scrub } = delivery;
  const { pickup, drop } = pickupAndDropOf(delivery, 'Duber', side);
  const [sender, recipient] = deliveryType === 'Bud_To_Scrub' ? [bud, scrub] : [scrub, bud];
  const at = (stop: MapStop, { fullname, phone }: typeof sender) => ({ ...stop, name: firstNameOf(fullname), phone });
  if (status === 'Way_Back') return at(pickup, sender);
  if (!isBeforePickup(status) || side === 'holder') return at(drop, recipient);
  if (isRelayedPickup(delivery)) return { ...pickup, name: 'the Duber who has the laundry', phone: null };
  return at(pickup, sender);
}
