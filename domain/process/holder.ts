import { type DeliveryStatus, type DeliveryType, isWithLaundry, WITHOUT_NEXT_DUBER } from '../deliveries.ts';
import type { DeliverySituation } from './situation.ts';

// Who has the laundry of an order. `orders.holder_*` says who took it last. What people may do with it follows from the statuses of the
// deliveries, because two loads of one order can be in two hands.

type OnBoard = { readonly status: DeliveryStatus; readonly hasLaundry: boolean };
type Relayed = OnBoard & {
  /** The Duber who could not continue. */
  readonly carrierId: string | null;
};

/** Whether the Duber of a delivery has its laundry. Only at Failed the status does not tell. */
export const isOnBoard = ({ status, hasLaundry }: OnBoard): boolean =>
  isWithLaundry(status) || (status === 'Failed' && hasLaundry);

/** Whether the laundry waits with an earlier Duber, who could not go on, until the next one collects it. */
export const isRelayed = (delivery: Relayed): boolean =>
  delivery.carrierId !== null && !isOnBoard(delivery) && WITHOUT_NEXT_DUBER.includes(delivery.status);

type Trip = {
  readonly deliveryType: DeliveryType;
  readonly round: number;
  readonly status: DeliveryStatus;
  readonly situation?: DeliverySituation | undefined;
};
export type LaundryOrder = {
  readonly round: number;
  /** Whether the laundry came to the Scrub without a Duber in this round. */
  readonly isHandedOver: boolean;
  readonly deliveries: readonly Trip[];
};

const outboundOf = ({ round, deliveries }: LaundryOrder) =>
  deliveries.filter((delivery) => delivery.deliveryType === 'Bud_To_Scrub' && delivery.round === round);

/** Whether the laundry is at the Scrub's, in the present round. */
export const isAtScrub = (order: LaundryOrder): boolean =>
  order.isHandedOver || outboundOf(order).some(({ status }) => status === 'Delivered');

/** Where the laundry of a delivery is with a Duber who says that they have it. */
export const WITH_DUBER: readonly DeliverySituation[] = ['not-taken', 'relayed', 'way-back', 'carried', 'at-drop'];
const AWAY: readonly (DeliverySituation | undefined)[] = [...WITH_DUBER, 'lost', 'stranded'];

/**
 * Whether a Duber has collected the laundry, or the Scrub has it. Laundry that was brought back has not moved. Laundry that is
 * lost or stranded has, also once its delivery is called off.
 */
export const hasBagMoved = (order: LaundryOrder): boolean =>
  isAtScrub(order) || outboundOf(order).some(({ situation }) => AWAY.includes(situation));
