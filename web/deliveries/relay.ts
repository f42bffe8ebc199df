import type { Delivery } from '../../contract/deliveries.ts';
import { WITHOUT_NEXT_DUBER } from '../../domain/laundry.ts';

/** Whether a Duber collects the laundry from another one, who could not go on. Only Dubers are sent the place. */
export const isRelayedPickup = ({ status, pickup }: Pick<Delivery, 'status' | 'pickup'>): boolean =>
  pickup !== null && WITHOUT_NEXT_DUBER.includes(status);

type Relay = Pick<Delivery, 'status' | 'pickup' | 'duberId' | 'statusHistory'>;

/**
 * Whether a Duber is the one who could not go on, and keeps the laundry until the next one collects it. A Duber's history has
 * only their own steps while the delivery is not theirs.
 */
export const isCarrier = (delivery: Relay, duberId: string): boolean =>
  isRelayedPickup(delivery) &&
  delivery.duberId !== duberId &&
  delivery.statusHistory.some(({ status }) => status === 'Collected');

const waitTitle = (next = 'the next Duber') => `Wait here for ${next}`;
const PAID = 'You are paid for the part of the trip that you did.';

/** What the Duber reads who keeps the laundry for the next one. That one's name is a short name. */
export function carrierText({ status, duber }: Pick<Delivery, 'status' | 'duber'>): { title: string; text: string } {
  const next = duber?.fullname;
  const name = next ?? 'The next Duber';
  const title = waitTitle(status === 'Failed' ? undefined : next);
  if (status === 'Accepted') return { title, text: `${name} will come to you. Keep the laundry with you. ${PAID}` };
  if (status === 'Way_To_Pick') return { title, text: `${name} is on the way to you. Give them the laundry. ${PAID}` };
  if (status === 'Failed')
    return { title: 'Keep the laundry with you', text: `${name} did not get it. The town looks into it. ${PAID}` };
  return { title, text: `Dubers nearby are asked. Keep the laundry with you. ${PAID}` };
}
