import type { Order } from '../../../contract/orders.ts';
import type { DeliveryType } from '../../../domain/deliveries.ts';
import type { OrderStatus } from '../../../domain/orders.ts';

/** The parts of an order that the status text needs. */
type StatusTextInput = Pick<Order, 'status' | 'selfDelivery' | 'selfPickup'> & {
  readonly scrub: { readonly fullname: string };
  readonly bud: { readonly fullname: string };
  readonly deliveries: readonly Pick<Order['deliveries'][number], 'deliveryType' | 'status'>[];
};
type DescribeStatus = (order: StatusTextInput) => string;

const deliveryStatusOf = (order: StatusTextInput, type: DeliveryType) =>
  order.deliveries.find((delivery) => delivery.deliveryType === type)?.status;

/** Whether a Duber still has to bring the laundry to the Scrub. */
export function isLaundryAwaited(order: StatusTextInput): boolean {
  return !order.selfDelivery && deliveryStatusOf(order, 'Bud_To_Scrub') !== 'Delivered';
}

/** The current status for the Bud. */
const BUD_TEXTS: Record<OrderStatus, DescribeStatus> = {
  Requested: ({ scrub }) =>
    `${scrub.fullname} has not answered yet. Your card is charged only when they accept; with no answer within 24 hours the order is cancelled and the hold released.`,
  Accepted: (order) => {
    if (order.selfDelivery) return `${order.scrub.fullname} has accepted. Bring your laundry when it suits you both.`;
    if (isLaundryAwaited(order)) return `${order.scrub.fullname} has accepted. A Duber brings your laundry to them.`;
    return `Your laundry is with ${order.scrub.fullname}, who starts soon.`;
  },
  In_Progress: ({ scrub }) => `${scrub.fullname} is doing your laundry.`,
  Completed: (order) => {
    if (order.selfPickup) return `Your laundry is done. You can fetch it from ${order.scrub.fullname}.`;
    if (deliveryStatusOf(order, 'Scrub_To_Bud') === 'Delivered') return 'Your laundry is done and back with you.';
    return 'Your laundry is done. A Duber brings it back to your door.';
  },
  Cancelled: () => 'This order was cancelled. The hold on your card is released; nothing was charged.',
  Rejected: ({ scrub }) =>
    `${scrub.fullname} could not take this order. The hold on your card is released; nothing was charged.`,
};

/** The current status for the Scrub. */
const SCRUB_TEXTS: Record<OrderStatus, DescribeStatus> = {
  Requested: ({ bud }) => `${bud.fullname} is waiting for your answer.`,
  Accepted: (order) => {
    if (order.selfDelivery) return `${order.bud.fullname} brings the laundry to you.`;
    if (isLaundryAwaited(order)) return 'The laundry has not arrived yet: a Duber brings it to you.';
    return 'The laundry has arrived.';
  },
  In_Progress: ({ bud }) => `You are doing the laundry of ${bud.fullname}.`,
  Completed: (order) => {
    if (order.selfPickup) return `Done. ${order.bud.fullname} fetches the laundry from you.`;
    if (deliveryStatusOf(order, 'Scrub_To_Bud') === 'Delivered') return 'Done, and the laundry is back with its owner.';
    return 'Done. A Duber takes the laundry back.';
  },
  Cancelled: () => 'This job was cancelled before you answered.',
  Rejected: () => 'You rejected this job.',
};

export function describeStatus(order: StatusTextInput, reader: 'Bud' | 'Scrub'): string {
  return (reader === 'Bud' ? BUD_TEXTS : SCRUB_TEXTS)[order.status](order);
}
