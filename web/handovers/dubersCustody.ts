import type { Delivery } from '../../contract/deliveries.ts';
import { isRelayedPickup } from '../deliveries/relay.ts';

type Leg = Pick<Delivery, 'status' | 'deliveryType'>;

/** Whether the Duber is bringing the laundry to the Bud now: home, or back to where it was collected. */
export const isOnTheWayToBud = ({ status, deliveryType }: Leg): boolean =>
  status === (deliveryType === 'Scrub_To_Bud' ? 'Way_To_Drop' : 'Way_Back');

/** Whether it may soon be so: asked for before, because there may be no network at the door. */
const isBeforeWayToBud = ({ status, deliveryType }: Leg) =>
  status === (deliveryType === 'Scrub_To_Bud' ? 'Collected' : 'Failed');

/** Whether the Duber of the delivery needs to know who has the laundry, or what its Bud allows. */
export const needsCustody = (delivery: Leg & Pick<Delivery, 'duberId' | 'pickup'>, duberId: string): boolean =>
  delivery.duberId === duberId &&
  (isBeforeWayToBud(delivery) || isOnTheWayToBud(delivery) || isRelayedPickup(delivery));

/** What a Duber reads beside the step that hands the laundry over, where it is so. */
export function doorNote(delivery: Leg, leaveAtDoor: boolean | undefined): string | undefined {
  return leaveAtDoor && isOnTheWayToBud(delivery)
    ? 'The Bud lets you leave it at the door: take a photo of it there.'
    : undefined;
}
