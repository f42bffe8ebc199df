import type { Delivery } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import { isGoingToDrop } from '../../../domain/deliveries.ts';
import { isRelayedPickup } from '../../handovers/relay.ts';
import { isRelayed } from '../../handovers/situation.ts';
import { firstNameOf } from '../../ui/format.ts';

/** Whether a Duber has set out, so that the map comes first. */
export const isUnderWay = ({ status }: Pick<Delivery, 'status'>) => status === 'Way_To_Pick' || isGoingToDrop(status);

/** Whether the Duber of a delivery stands at the door where they drove. */
export const isAtDoor = ({ situation }: Pick<Delivery, 'situation'>) =>
  situation === 'at-pickup' || situation === 'at-drop';

type DeliveryPeople = Pick<Delivery, 'status' | 'deliveryType' | 'situation' | 'arrivedAt'> & {
  /** Dashboards leave these out. */
  readonly pickup?: Delivery['pickup'];
  readonly isNextHere?: boolean | undefined;
  readonly isDuberAway?: boolean | undefined;
  readonly duberId?: string | null;
  readonly duber: { readonly fullname: string } | null;
  /** Only a Bud's own orders leave it out. */
  readonly bud?: { readonly fullname: string };
  readonly scrub: { readonly fullname: string };
};

const MEETING = 'the Duber who has the laundry';

/**
 * What happens right now in a delivery that is under way: 'Pia is on the way to you'. Nothing once Pia is at the door. The
 * sender is the Duber who could not go on, and waits for Pia with the laundry. The Bud and the Scrub do not see whether Pia is the
 * one who waits, unless their page knows by `holderId` who has the laundry.
 */
export function arrivalText(
  delivery: DeliveryPeople,
  viewer: Exclude<Role, 'Duber'> | 'sender',
  holderId?: string,
): string | undefined {
  if (!isUnderWay(delivery)) return undefined;
  const { status, deliveryType, duber } = delivery;
  const [pickup, drop] = deliveryType === 'Bud_To_Scrub' ? (['Bud', 'Scrub'] as const) : (['Scrub', 'Bud'] as const);
  const nameOf = (side: 'Bud' | 'Scrub') => {
    if (side === viewer) return 'you';
    return firstNameOf((side === 'Bud' ? delivery.bud : delivery.scrub)?.fullname ?? side);
  };
  const isRelay = isRelayedPickup({ status, pickup: delivery.pickup ?? null }) || isRelayed(delivery);
  const from = () => (isRelay ? MEETING : nameOf(pickup));
  if (delivery.arrivedAt || delivery.isNextHere || isAtDoor(delivery)) return undefined;
  const name = duber ? firstNameOf(duber.fullname) : 'The Duber';
  if (delivery.isDuberAway) return `We do not know yet when ${name} can continue`;
  if (viewer === 'sender' && status === 'Way_To_Pick') return `${name} is on the way to you`;
  if (isRelay && holderId === undefined) return `${name} continues with the laundry`;
  const hasIt = isRelay && holderId === delivery.duberId;
  if (status === 'Way_To_Pick' && !hasIt) return `${name} is on the way to ${from()}`;
  if (hasIt || status !== 'Way_To_Drop') return `${name} has the laundry`;
  return `${name} is bringing the laundry to ${nameOf(drop)}`;
}
