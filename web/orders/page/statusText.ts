import type { Order } from '../../../contract/orders.ts';
import { type OrderStatus, REQUEST_LIFETIME_MS } from '../../../domain/orders.ts';
import { givenBackAt, isGivenBackByTown } from '../changes/orderChanges.ts';
import {
  describeAwayScrub,
  describeNotStarted,
  describeWayToBud,
  describeWayToScrub,
  isAsPlanned,
  isCleanedAgain,
  type LaundryWay,
  lateText,
  leftAtDoorAt,
  stageToBud,
  stageToScrub,
} from '../laundryWay.ts';
import { type CalledOffOrder, endingText, refundSentence, wasAccepted } from '../refund.ts';
import { isSentBack } from '../weighing/useWeighing.ts';

/** The parts of an order that the status text needs. */
type StatusTextInput = LaundryWay &
  CalledOffOrder &
  Pick<Order, 'exceptions' | 'wayHome'> & {
    readonly price: Pick<Order['price'], 'loadPrice' | 'totalPrice'>;
    readonly bud: { readonly fullname: string };
  };
type DescribeStatus = (order: StatusTextInput) => string;

/** Whether an order was cancelled because its Scrub did not answer: their Bud cannot cancel it later than that. */
function isUnanswered({ statusHistory }: Pick<Order, 'statusHistory'>): boolean {
  const [asked, ended] = statusHistory.slice(-2);
  return (
    asked?.status === 'Requested' &&
    ended?.status === 'Cancelled' &&
    Date.parse(ended.createdAt) - Date.parse(asked.createdAt) >= REQUEST_LIFETIME_MS
  );
}

/** How the laundry of a cancelled order gets home; undefined once its Bud has it. */
function describeWayHome(order: StatusTextInput, reader: Reader): string | undefined {
  const { wayHome, bud, scrub } = order;
  if (!wayHome) return undefined;
  if (wayHome === 'bring') return describeWayToBud(order, reader);
  if (reader === 'Scrub')
    return wayHome === 'fetch'
      ? `${bud.fullname} fetches the laundry: please keep it until then.`
      : 'The laundry counts as lost. If you find it, please write to us.';
  return wayHome === 'fetch'
    ? `Please fetch your laundry from ${scrub.fullname}, and say below that you have it.`
    : 'Your laundry is lost. We are sorry. You can report what it was worth.';
}

/** The current status for the Bud. */
const BUD_TEXTS: Record<OrderStatus, DescribeStatus> = {
  Requested: (order) => {
    const { fullname } = order.scrub;
    if (givenBackAt(order))
      return `${isGivenBackByTown(order) ? `The town has taken your order from ${fullname}` : `${fullname} gave your order back`}. Choose another Scrub, or cancel and ${endingText(order)}.`;
    return wasAccepted(order)
      ? `${fullname} has not answered yet. The price stays the same, and you do not pay ${order.ceilingSize ? 'twice' : 'again'}. Without an answer within 24 hours, the order is cancelled and you ${endingText(order)}.`
      : `${fullname} has not answered yet. ${order.ceilingSize ? 'Your card is only charged once they have weighed your laundry.' : 'Your card is only charged if they accept.'} Without an answer within 24 hours, the order is cancelled and the hold released.`;
  },
  Accepted: (order) =>
    stageToScrub(order) === 'delivered'
      ? describeNotStarted(order)
      : `${order.scrub.fullname} has accepted. ${describeWayToScrub(order, 'Bud')}`,
  In_Progress: (order) => {
    const { fullname } = order.scrub;
    const stage = stageToScrub(order);
    if (isCleanedAgain(order))
      return stage === 'delivered'
        ? `${fullname} is cleaning your laundry again.`
        : `${fullname} will clean your laundry again. ${describeWayToScrub(order, 'Bud')}`;
    return isAsPlanned(stage)
      ? `${fullname} is doing your laundry.${lateText(order)}`
      : `${fullname} has started. ${describeWayToScrub(order, 'Bud')}`;
  },
  Completed: (order) => {
    const isAgain = isCleanedAgain(order);
    if (!order.selfPickup && stageToBud(order) === 'delivered' && leftAtDoorAt(order) === undefined)
      return isAgain
        ? 'Your laundry was cleaned again and is back with you.'
        : 'Your laundry is done and back with you.';
    const done = isAgain ? 'Your laundry was cleaned again.' : 'Your laundry is done.';
    return `${done} ${order.selfPickup ? `You can pick it up from ${order.scrub.fullname}.` : describeWayToBud(order, 'Bud')}`;
  },
  Cancelled: (order) =>
    wasAccepted(order)
      ? ['This order was cancelled.', describeWayHome(order, 'Bud'), refundSentence(order)].filter(Boolean).join(' ')
      : `${isUnanswered(order) ? `${order.scrub.fullname} did not answer within 24 hours, so this` : 'This'} order was cancelled. You were not charged, and the hold on your card is released.`,
  Rejected: (order) =>
    wasAccepted(order)
      ? `${order.scrub.fullname} could not take this order. ${refundSentence(order)}`
      : `${order.scrub.fullname} could not take this order. You were not charged, and the hold on your card is released.`,
};

/** The current status for the Scrub. */
const SCRUB_TEXTS: Record<OrderStatus, DescribeStatus> = {
  Requested: (order) =>
    givenBackAt(order)
      ? `${isGivenBackByTown(order) ? 'The town gives this job to somebody else' : 'You gave this job back'}. ${order.bud.fullname} is choosing another Scrub.`
      : `${order.bud.fullname} is waiting for your answer.`,
  Accepted: (order) => {
    const stage = stageToScrub(order);
    if (stage === 'delivered') return 'The laundry has arrived.';
    const way = describeWayToScrub(order, 'Scrub');
    return stage === undefined ? way : `The laundry has not arrived yet. ${way}`;
  },
  In_Progress: (order) => {
    const { fullname } = order.bud;
    const stage = stageToScrub(order);
    if (isCleanedAgain(order))
      return stage === 'delivered'
        ? `You are cleaning the laundry of ${fullname} again.`
        : `The laundry of ${fullname} is cleaned again. ${describeWayToScrub(order, 'Scrub')}`;
    return isAsPlanned(stage)
      ? `You are doing laundry for ${fullname}.`
      : `You have started, but the laundry has not arrived. ${describeWayToScrub(order, 'Scrub')}`;
  },
  Completed: (order) => {
    if (order.selfPickup) return `Done. ${order.bud.fullname} will pick up the laundry.`;
    if (stageToBud(order) === 'delivered' && leftAtDoorAt(order) === undefined)
      return 'Done, and the laundry is back with its owner.';
    return `Done. ${describeWayToBud(order, 'Scrub')}`;
  },
  Cancelled: (order) =>
    wasAccepted(order)
      ? ['This job was cancelled.', describeWayHome(order, 'Scrub')].filter(Boolean).join(' ')
      : isUnanswered(order)
        ? 'You did not answer within 24 hours, so this job was cancelled. Turn off Visibility when you take a break.'
        : 'This job was cancelled before you answered.',
  Rejected: () => 'You rejected this job.',
};

type Reader = 'Bud' | 'Scrub';

/** While the Bud is asked what to do with laundry that is heavier than agreed. */
const ASKED_TEXTS: Record<Reader, DescribeStatus> = {
  Bud: ({ scrub }) => `Your laundry is heavier than agreed. ${scrub.fullname} waits for your answer.`,
  Scrub: ({ bud }) => `${bud.fullname} is asked what to do with the heavier laundry. Please do not wash it yet.`,
};

/** Laundry that goes back unwashed. */
const SENT_BACK_TEXTS: Record<Reader, DescribeStatus> = {
  Bud: (order) => {
    if (order.status !== 'Completed')
      return `${order.scrub.fullname} does not wash your laundry. It goes back as it is.`;
    if (order.selfPickup) return `Your laundry was not washed. You can pick it up from ${order.scrub.fullname}.`;
    return `Your laundry was not washed. ${describeWayToBud(order, 'Bud')}`;
  },
  Scrub: (order) => {
    if (order.status !== 'Completed') return 'The laundry goes back as it is. Please do not wash it.';
    if (order.selfPickup) return `Nothing left to do. ${order.bud.fullname} will pick up the laundry.`;
    const way = describeWayToBud(order, 'Scrub');
    return stageToBud(order) === 'delivered' ? way : `Nothing left to do. ${way}`;
  },
};

const HAS_LAUNDRY: readonly OrderStatus[] = ['Accepted', 'In_Progress', 'Completed'];

/** Laundry that its Bud has fetched: no delivery says so. */
const FETCHED_TEXTS: Record<Reader, string> = {
  Bud: 'Your laundry is done and back with you.',
  Scrub: 'Done, and the laundry is back with its owner.',
};

/** Whether the Bud fetches the laundry of a completed order, with no delivery that says where it is. */
const isFetched = (order: StatusTextInput) =>
  order.status === 'Completed' && (order.selfPickup || stageToBud(order) === 'called-off');

/**
 * The current status; `isAsked` while the Bud is asked what to do with heavier laundry, `isBack` once a hand-over says that the
 * Bud has the laundry again.
 */
export function describeStatus(order: StatusTextInput, reader: Reader, isAsked = false, isBack = false): string {
  if (isBack && isFetched(order) && !isSentBack(order)) return FETCHED_TEXTS[reader];
  if (HAS_LAUNDRY.includes(order.status)) {
    if (isAsked) return ASKED_TEXTS[reader](order);
    if (isSentBack(order)) return SENT_BACK_TEXTS[reader](order);
  }
  const away = reader === 'Bud' ? describeAwayScrub(order) : undefined;
  return away ?? (reader === 'Bud' ? BUD_TEXTS : SCRUB_TEXTS)[order.status](order);
}

/** What asks the Bud for a review when there was no wash; undefined for the usual sentence. */
export const reviewLineOf = (order: Parameters<typeof isSentBack>[0]): string | undefined =>
  isSentBack(order)
    ? 'Nothing was washed this time. How was your Scrub otherwise? Your review helps other Buds choose.'
    : undefined;
