import type { Order } from '../../../contract/orders.ts';
import type { DeliveryStatus, DeliveryType } from '../../../domain/deliveries.ts';
import type { OrderStatus } from '../../../domain/orders.ts';
import { givenBackAt, isGivenBackByTown } from '../changes/orderChanges.ts';
import { isSentBack } from '../weighing/useWeighing.ts';

/** The parts of an order that the status text needs. */
type StatusTextInput = Pick<
  Order,
  'status' | 'statusHistory' | 'selfDelivery' | 'selfPickup' | 'round' | 'exceptions' | 'ceilingSize'
> & {
  readonly price: Pick<Order['price'], 'loadPrice'>;
  readonly scrub: { readonly fullname: string };
  readonly bud: { readonly fullname: string };
  readonly deliveries: readonly Pick<Order['deliveries'][number], 'deliveryType' | 'status'>[];
};
type DescribeStatus = (order: StatusTextInput) => string;

const deliveryStatusOf = (order: StatusTextInput, type: DeliveryType) =>
  order.deliveries.findLast((delivery) => delivery.deliveryType === type)?.status;

/** Whether a Duber still has to bring the laundry to the Scrub. */
export function isLaundryAwaited(order: StatusTextInput): boolean {
  return !order.selfDelivery && deliveryStatusOf(order, 'Bud_To_Scrub') !== 'Delivered';
}

const FAILED: readonly (DeliveryStatus | undefined)[] = ['Failed', 'Way_Back', 'Returned'];

/** Whether the way to the Scrub did not work out, and nobody is on it now. */
const hasFailed = (order: StatusTextInput): boolean =>
  !order.selfDelivery && FAILED.includes(deliveryStatusOf(order, 'Bud_To_Scrub'));

/** Whether it was accepted at some time: then the card was charged, or is once the laundry is weighed. */
export const wasAccepted = ({ statusHistory }: Pick<Order, 'statusHistory'>): boolean =>
  statusHistory.some(({ status }) => status === 'Accepted');

/** An order that is weighed may have been charged when it was called off, or still have its hold. */
const unearned = ({ ceilingSize }: StatusTextInput): string =>
  ceilingSize
    ? 'You do not pay for what nobody has earned.'
    : 'What nobody has earned is on its way back to your card.';

/** The current status for the Bud. */
const BUD_TEXTS: Record<OrderStatus, DescribeStatus> = {
  Requested: (order) => {
    const { fullname } = order.scrub;
    if (givenBackAt(order))
      return `${isGivenBackByTown(order) ? `The town has taken your order from ${fullname}` : `${fullname} gave your order back`}. Choose another Scrub, or cancel and ${order.ceilingSize ? 'pay nothing' : 'get everything back'}.`;
    if (wasAccepted(order) && order.ceilingSize)
      return `${fullname} has not answered yet. The price stays the same, and you do not pay twice. Without an answer within 24 hours, the order is cancelled and you pay nothing.`;
    return wasAccepted(order)
      ? `${fullname} has not answered yet. The price stays the same, and you do not pay again. Without an answer within 24 hours, the order is cancelled and you get everything back.`
      : `${fullname} has not answered yet. ${order.ceilingSize ? 'Your card is only charged once they have weighed your laundry.' : 'Your card is only charged if they accept.'} Without an answer within 24 hours, the order is cancelled and the hold released.`;
  },
  Accepted: (order) => {
    if (order.selfDelivery)
      return `${order.scrub.fullname} has accepted. Bring your laundry over when it suits you both.`;
    if (hasFailed(order)) return `${order.scrub.fullname} has accepted. Your laundry has not reached them yet.`;
    if (isLaundryAwaited(order)) return `${order.scrub.fullname} has accepted. A Duber will bring them your laundry.`;
    return `Your laundry is with ${order.scrub.fullname}, who will start soon.`;
  },
  In_Progress: ({ scrub }) => `${scrub.fullname} is doing your laundry.`,
  Completed: (order) => {
    if (order.selfPickup) return `Your laundry is done. You can pick it up from ${order.scrub.fullname}.`;
    if (deliveryStatusOf(order, 'Scrub_To_Bud') === 'Delivered') return 'Your laundry is done and back with you.';
    return 'Your laundry is done. A Duber will bring it back to your door.';
  },
  Cancelled: (order) =>
    wasAccepted(order)
      ? `This order was cancelled. ${unearned(order)}`
      : 'This order was cancelled. You were not charged, and the hold on your card is released.',
  Rejected: (order) =>
    wasAccepted(order)
      ? `${order.scrub.fullname} could not take this order. ${unearned(order)}`
      : `${order.scrub.fullname} could not take this order. You were not charged, and the hold on your card is released.`,
};

/** The current status for the Scrub. */
const SCRUB_TEXTS: Record<OrderStatus, DescribeStatus> = {
  Requested: (order) =>
    givenBackAt(order)
      ? `${isGivenBackByTown(order) ? 'The town gives this job to somebody else' : 'You gave this job back'}. ${order.bud.fullname} is choosing another Scrub.`
      : `${order.bud.fullname} is waiting for your answer.`,
  Accepted: (order) => {
    if (order.selfDelivery) return `${order.bud.fullname} will bring you the laundry.`;
    if (hasFailed(order)) return 'The laundry has not arrived yet. Its delivery did not work out.';
    if (isLaundryAwaited(order)) return 'The laundry has not arrived yet. A Duber will bring it to you.';
    return 'The laundry has arrived.';
  },
  In_Progress: ({ bud }) => `You are doing laundry for ${bud.fullname}.`,
  Completed: (order) => {
    if (order.selfPickup) return `Done. ${order.bud.fullname} will pick up the laundry.`;
    if (deliveryStatusOf(order, 'Scrub_To_Bud') === 'Delivered') return 'Done, and the laundry is back with its owner.';
    return 'Done. A Duber will take the laundry back.';
  },
  Cancelled: (order) =>
    wasAccepted(order) ? 'This job was cancelled.' : 'This job was cancelled before you answered.',
  Rejected: () => 'You rejected this job.',
};

type Reader = 'Bud' | 'Scrub';

/** While the Bud is asked what to do with laundry that is heavier than agreed. */
const ASKED_TEXTS: Record<Reader, DescribeStatus> = {
  Bud: ({ scrub }) => `Your laundry is heavier than agreed. ${scrub.fullname} waits for your answer.`,
  Scrub: ({ bud }) => `${bud.fullname} is asked what to do with the heavier laundry. Please do not wash it yet.`,
};

const isBack = (order: StatusTextInput) => deliveryStatusOf(order, 'Scrub_To_Bud') === 'Delivered';

/** Laundry that goes back unwashed. */
const SENT_BACK_TEXTS: Record<Reader, DescribeStatus> = {
  Bud: (order) => {
    if (order.status !== 'Completed')
      return `${order.scrub.fullname} does not wash your laundry. It goes back as it is.`;
    if (order.selfPickup) return `Your laundry was not washed. You can pick it up from ${order.scrub.fullname}.`;
    return `Your laundry was not washed. ${isBack(order) ? 'It is back with you.' : 'A Duber will bring it back to your door.'}`;
  },
  Scrub: (order) => {
    if (order.status !== 'Completed') return 'The laundry goes back as it is. Please do not wash it.';
    if (order.selfPickup) return `Nothing left to do. ${order.bud.fullname} will pick up the laundry.`;
    return isBack(order)
      ? 'The laundry is back with its owner.'
      : 'Nothing left to do. A Duber will take the laundry back.';
  },
};

const HAS_LAUNDRY: readonly OrderStatus[] = ['Accepted', 'In_Progress', 'Completed'];

/** The current status; `isAsked` while the Bud is asked what to do with heavier laundry. */
export function describeStatus(order: StatusTextInput, reader: Reader, isAsked = false): string {
  if (HAS_LAUNDRY.includes(order.status)) {
    if (isAsked) return ASKED_TEXTS[reader](order);
    if (isSentBack(order)) return SENT_BACK_TEXTS[reader](order);
  }
  return (reader === 'Bud' ? BUD_TEXTS : SCRUB_TEXTS)[order.status](order);
}
