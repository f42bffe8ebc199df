import type { OrderSituation } from '../../domain/process/situation.ts';
import type { WaySituation } from '../../texts/orders.ts';
import { type LaundryWay, situationBack, situationThere } from './laundryWay.ts';

export type StoppingOrder = LaundryWay & {
  readonly situation?: OrderSituation | undefined;
  readonly price: { readonly loadPrice: number };
};

const thirdStop = ({ status, price }: StoppingOrder): string => {
  if (status === 'Cancelled') return 'Cancelled';
  if (price.loadPrice === 0) return 'Not washed';
  return status === 'Completed' ? 'Washed' : 'Washing';
};

export const STOP_COUNT = 5;

/** The names of an order's five stops. They depend on who carries the laundry. */
export const stopNamesOf = (order: StoppingOrder): readonly string[] => [
  'Accepted',
  order.selfDelivery ? 'Brought over' : 'Picked up',
  thirdStop(order),
  order.selfPickup ? 'Ready' : 'On its way',
  'Home',
];

/** Where laundry is once it has been collected. */
const COLLECTED: readonly WaySituation[] = [
  ...(['carried', 'at-drop', 'delivered', 'not-taken', 'relayed', 'way-back', 'lost', 'stranded'] as const),
];

/** The index of the last stop that an order has reached; -1 while its Scrub has not answered. */
export function reachedStop(order: StoppingOrder): number {
  const { status, situation, selfPickup, isCleanedAgain } = order;
  if (status === 'Requested') return -1;
  if (situation === 'home') return STOP_COUNT - 1;
  if (status === 'Completed' || status === 'Cancelled')
    return selfPickup || COLLECTED.includes(situationBack(order)) ? 3 : 2;
  const there = situationThere(order);
  if (status === 'In_Progress' && (!isCleanedAgain || there === 'delivered')) return 2;
  return COLLECTED.includes(there) ? 1 : 0;
}
