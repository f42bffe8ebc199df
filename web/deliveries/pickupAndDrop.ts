import type { WithFields } from '../../contract/answerFields.ts';
import type { Delivery } from '../../contract/deliveries.ts';
import type { DELIVERY_ENDS_FIELDS } from '../../contract/screenFields.ts';
import type { Role } from '../../domain/accounts.ts';
import type { MapStop } from '../places/MapCard.tsx';
import type { RelaySide } from './relay.ts';

type Side = 'Bud' | 'Scrub';

/** The names of a delivery's two sides, per viewer. */
const SIDE_LABELS: Record<Role, Record<Side, string>> = {
  Bud: { Bud: 'Your address', Scrub: 'Service Provider' },
  Scrub: { Bud: 'Customer', Scrub: 'Your address' },
  Duber: { Bud: 'Customer', Scrub: 'Service Provider' },
};

type DeliveryEnds = WithFields<Delivery, 'deliveryType' | (typeof DELIVERY_ENDS_FIELDS)[number]>;

const MEETINGS = {
  next: { label: 'Pickup · Another Duber', address: 'Where they wait for you' },
  carrier: { label: 'Pickup · You', address: 'Where you wait for the next Duber' },
  holder: { label: 'Pickup · You', address: 'You have the laundry' },
} as const satisfies Record<RelaySide, object>;

/**
 * A delivery's pickup and drop: the Bud's address and the Scrub's first one, ordered by type (spec 2.8). When a Duber could
 * not go on, the next one fetches the laundry from there.
 */
export function pickupAndDropOf(
  { deliveryType, order, scrub, pickup: onTheWay }: DeliveryEnds,
  reader: Role,
  duber: RelaySide = 'next',
): { pickup: MapStop; drop: MapStop } {
  const places = { Bud: order.budAddress, Scrub: scrub.addresses[0] };
  const end = (name: string, side: Side): MapStop => ({
    label: `${name} · ${SIDE_LABELS[reader][side]}`,
    address: places[side]?.address || undefined,
    point: places[side],
  });
  const [from, to] = deliveryType === 'Bud_To_Scrub' ? (['Bud', 'Scrub'] as const) : (['Scrub', 'Bud'] as const);
  const meeting = onTheWay && { ...MEETINGS[duber], point: onTheWay };
  return { pickup: meeting ?? end('Pickup', from), drop: end('Drop', to) };
}
