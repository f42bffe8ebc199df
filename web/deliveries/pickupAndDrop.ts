import type { Delivery } from '../../contract/deliveries.ts';
import type { Role } from '../../domain/accounts.ts';
import type { MapEnd } from '../places/MapCard.tsx';

type Side = 'Bud' | 'Scrub';

/** What each reader calls the two sides of a delivery. */
const SIDES: Record<Role, Record<Side, string>> = {
  Bud: { Bud: 'Your address', Scrub: 'Service Provider' },
  Scrub: { Bud: 'Customer', Scrub: 'Your address' },
  Duber: { Bud: 'Customer', Scrub: 'Service Provider' },
};

type Ends = Pick<Delivery, 'deliveryType' | 'scrub'> & { order: Pick<Delivery['order'], 'budAddress'> };

/** Where a delivery starts and ends: a Bud's address and the Scrub's first one, in the order of its type (spec 2.8). */
export function endsOf({ deliveryType, order, scrub }: Ends, reader: Role): { pickup: MapEnd; drop: MapEnd } {
  const places = { Bud: order.budAddress, Scrub: scrub.addresses[0] };
  const end = (name: string, side: Side): MapEnd => ({
    label: `${name} · ${SIDES[reader][side]}`,
    address: places[side]?.address || undefined,
    point: places[side],
  });
  return deliveryType === 'Bud_To_Scrub'
    ? { pickup: end('Pickup', 'Bud'), drop: end('Drop', 'Scrub') }
    : { pickup: end('Pickup', 'Scrub'), drop: end('Drop', 'Bud') };
}
