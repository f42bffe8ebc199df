import type { WithFields } from '../../contract/answerFields.ts';
import type { Delivery } from '../../contract/deliveries.ts';
import type { DELIVERY_ENDS_FIELDS } from '../../contract/screenFields.ts';
import type { Role } from '../../domain/accounts.ts';
import type { MapStop } from '../places/MapCard.tsx';

type Side = 'Bud' | 'Scrub';

/** The names of a delivery's two sides, per viewer. */
const SIDE_LABELS: Record<Role, Record<Side, string>> = {
  Bud: { Bud: 'Your address', Scrub: 'Service Provider' },
  Scrub: { Bud: 'Customer', Scrub: 'Your address' },
  Duber: { Bud: 'Customer', Scrub: 'Service Provider' },
};

type DeliveryEnds = WithFields<Delivery, 'deliveryType' | (typeof DELIVERY_ENDS_FIELDS)[number]>;

/** A delivery's pickup and drop: the Bud's address and the Scrub's first one, ordered by type (spec 2.8). */
export function pickupAndDropOf(
  { deliveryType, order, scrub }: DeliveryEnds,
  reader: Role,
): { pickup: MapStop; drop: MapStop } {
  const places = { Bud: order.budAddress, Scrub: scrub.addresses[0] };
  const end = (name: string, side: Side): MapStop => ({
    label: `${name} · ${SIDE_LABELS[reader][side]}`,
    address: places[side]?.address || undefined,
    point: places[side],
  });
  return deliveryType === 'Bud_To_Scrub'
    ? { pickup: end('Pickup', 'Bud'), drop: end('Drop', 'Scrub') }
    : { pickup: end('Pickup', 'Scrub'), drop: end('Drop', 'Bud') };
}
