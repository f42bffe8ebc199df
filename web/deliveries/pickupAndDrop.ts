import type { WithFields } from '../../contract/answerFields.ts';
import type { Delivery } from '../../contract/deliveries.ts';
import type { DELIVERY_ENDS_FIELDS } from '../../contract/screenFields.ts';
import type { Role } from '../../domain/accounts.ts';
import { isRelayedPickup, type RelayRole } from '../handovers/relay.ts';
import type { MapStop } from '../places/MapCard.tsx';

type Side = 'Bud' | 'Scrub';

/** The names of a delivery's two sides, per viewer. */
const SIDE_LABELS: Record<Role, Record<Side, string>> = {
  Bud: { Bud: 'Your address', Scrub: 'Service Provider' },
  Scrub: { Bud: 'Customer', Scrub: 'Your address' },
  Duber: { Bud: 'Customer', Scrub: 'Service Provider' },
};

type DeliveryEnds = WithFields<Delivery, 'status' | 'deliveryType' | (typeof DELIVERY_ENDS_FIELDS)[number]> & {
  /** Dashboards leave it out. */
  readonly hasLaundry?: boolean;
};

const MEETINGS = {
  recipient: { label: 'Pickup · Another Duber', address: 'Where they wait for you' },
  sender: { label: 'Pickup · You', address: 'Where you wait for the next Duber' },
  holder: { label: 'Pickup · You', address: 'You have the laundry' },
} as const satisfies Record<RelayRole, object>;
/** The same once the laundry has left it. */
const MET = { label: 'Pickup · On the way', address: 'Where the laundry was handed on' } as const;

/** Where relayed laundry is collected. Laundry that is brought back goes to where it came from. */
function meetingOf({ status, pickup, hasLaundry = false }: DeliveryEnds, duber: RelayRole): MapStop | undefined {
  if (!pickup || status === 'Way_Back') return undefined;
  const isWaiting = isRelayedPickup({ status, pickup }) && !hasLaundry;
  return { ...(isWaiting ? MEETINGS[duber] : MET), point: pickup };
}

/**
 * A delivery's pickup and drop: the Bud's address and the Scrub's first one, ordered by type (spec 2.8). When a Duber could
 * not go on, the next one fetches the laundry from there.
 */
export function pickupAndDropOf(
  delivery: DeliveryEnds,
  reader: Role,
  duber: RelayRole = 'recipient',
): { pickup: MapStop; drop: MapStop } {
  const { deliveryType, order, scrub } = delivery;
  const places = { Bud: order.budAddress, Scrub: scrub.addresses[0] };
  const end = (name: string, side: Side): MapStop => ({
    label: `${name} · ${SIDE_LABELS[reader][side]}`,
    address: places[side]?.address || undefined,
    point: places[side],
  });
  const [from, to] = deliveryType === 'Bud_To_Scrub' ? (['Bud', 'Scrub'] as const) : (['Scrub', 'Bud'] as const);
  return { pickup: meetingOf(delivery, duber) ?? end('Pickup', from), drop: end('Drop', to) };
}
