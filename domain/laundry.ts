import { type DeliveryStatus, type DeliveryType, LAUNDRY_STATUSES } from './deliveries.ts';
import type { OrderStatus, WayHome } from './orders.ts';
import { type DeliverySituation, factsOfDelivery, situationOfDelivery } from './process/situation.ts';

// Where the laundry of an order is, by its deliveries. The server decides with it, and the screens show it.

/** What of a delivery says where its laundry is. */
export type LaundryLeg = {
  readonly deliveryType: DeliveryType;
  readonly round: number;
  readonly status: DeliveryStatus;
  /** Whether its Duber has the laundry. */
  readonly hasLaundry: boolean;
  /** What did not go as planned, oldest first. */
  readonly exceptions: readonly { readonly action: string }[];
};

type StepsOfLeg = Pick<LaundryLeg, 'status' | 'exceptions'>;

export type LaundryOrder = {
  readonly round: number;
  /** Whether the laundry came to the Scrub without a Duber in this round. */
  readonly isHandedOver: boolean;
  readonly deliveries: readonly LaundryLeg[];
};

/** Whether the laundry waits with an earlier Duber, who could not go on, until the next one collects it. */
const isRelayed = (leg: StepsOfLeg): boolean =>
  leg.status !== 'Called_Off' && factsOfDelivery({ ...leg, hasLaundry: false }).isRelayed;

/** Whether the laundry is reported as lost, and has not been found since. */
const isLost = (leg: StepsOfLeg): boolean =>
  leg.status === 'Failed' && factsOfDelivery({ ...leg, hasLaundry: false }).isLost;

/**
 * Whether the laundry of an order is gone: lost on the last delivery, or where it was when the order was cancelled. Of a cancelled
 * order whose laundry is with its Bud there is no way home.
 */
export function isGone({ deliveries, wayHome, status }: LaundryEnd): boolean {
  if (status === 'Cancelled' && !wayHome) return false;
  const last = deliveries.at(-1);
  return wayHome === 'lost' || last?.situation === 'lost';
}
type LaundryEnd = {
  readonly status: OrderStatus;
  readonly wayHome?: WayHome | undefined;
  readonly deliveries: readonly { readonly situation?: DeliverySituation | undefined }[];
};

const isOnBoard = (leg: LaundryLeg) => leg.hasLaundry || LAUNDRY_STATUSES.includes(leg.status) || isRelayed(leg);

const outboundOf = ({ round, deliveries }: LaundryOrder) =>
  deliveries.filter((leg) => leg.deliveryType === 'Bud_To_Scrub' && leg.round === round);

/** Whether the laundry is at the Scrub's, in the present round. */
export const isLaundryHere = (order: LaundryOrder): boolean =>
  order.isHandedOver || outboundOf(order).some(({ status }) => status === 'Delivered');

/** Whether a delivery was called off whose laundry is lost, or still with a Duber. */
const isLeftBehind = (leg: LaundryLeg) => ['lost', 'stranded'].includes(situationOfDelivery(leg));

/**
 * Whether a Duber has collected the laundry, or the Scrub has it. Laundry that was brought back has not moved. Laundry that is
 * lost or stranded has, also once its delivery is called off.
 */
export const hasBagMoved = (order: LaundryOrder): boolean =>
  isLaundryHere(order) || outboundOf(order).some((leg) => isOnBoard(leg) || isLeftBehind(leg));

/** Whether its Bud can cancel an accepted order, and its Scrub can give it back. */
export const canBeLeft = (order: LaundryOrder & { readonly status: OrderStatus }): boolean =>
  order.status === 'Accepted' && !hasBagMoved(order);

/** Whether a Duber has the laundry, and it is not reported as lost. */
export const isWithDuber = ({ deliveries }: Pick<LaundryOrder, 'deliveries'>): boolean =>
  deliveries.some((leg) => isOnBoard(leg) && !isLost(leg));
