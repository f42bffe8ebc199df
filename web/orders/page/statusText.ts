import type { Order } from '../../../contract/orders.ts';
import type { OrderSituation } from '../../../domain/process/situation.ts';
import { isChargedFirst } from '../../../domain/weighing.ts';
import { answerTimes, type OrderReader, STATUS_TEXTS } from '../../../texts/orders.ts';
import { describeLostDuber } from '../../deliveries/noDuber.ts';
import { isSentBack } from '../../weighing/useWeighing.ts';
import {
  describeAwayScrub,
  describeWayToBud,
  describeWayToScrub,
  type LaundryWay,
  leftAtDoorAt,
  situationBack,
} from '../laundryWay.ts';
import { currentDeliveryOf, describeLiveOrder } from '../live/liveOrder.ts';
import { type CalledOffOrder, endingText, refundSentence, wasAccepted } from '../refund.ts';

/** The parts of an order that the status text needs. */
type StatusTextInput = LaundryWay &
  CalledOffOrder &
  Pick<Order, 'situation' | 'way' | 'times' | 'createdAt'> & {
    readonly price: Pick<Order['price'], 'loadPrice' | 'totalPrice'>;
    readonly bud: { readonly fullname: string };
  };

/** The current status in a sentence or two: by the situation of the order and its reader. */
export function describeStatus(order: StatusTextInput, reader: OrderReader): string {
  const { status, situation = 'requested', way, bud, scrub, isCleanedAgain = false, delay } = order;
  const isWeightKnown = situation === 'heavier' || situation === 'unwashed';
  const away = reader === 'Bud' && !isWeightKnown ? describeAwayScrub(order) : undefined;
  if (away !== undefined) return away;
  return STATUS_TEXTS[reader][situation]({
    ...{ status, isCleanedAgain, delay, bud: bud.fullname, scrub: scrub.fullname },
    wasAccepted: wasAccepted(order),
    answer: answerTimes(order),
    isWeighed: order.ceilingSize !== undefined,
    isChargedFirst: isChargedFirst(new Date(order.createdAt), order.times && new Date(order.times.pickup.until)),
    isUnwashed: isSentBack(order),
    isFetched: order.selfPickup || situationBack(order) === 'called-off',
    where: (way === 'back' ? describeWayToBud : describeWayToScrub)(order, reader),
    isAtDoor: leftAtDoorAt(order) !== undefined,
    ending: endingText(order),
    refund: refundSentence(order),
  });
}

/** The situations of which more is to be said than what has happened: what comes next. */
const WITH_NEXT: readonly OrderSituation[] = [
  ...(['requested', 'waits-for-duber', 'coming', 'at-pickup', 'carried', 'at-drop', 'bud-brings', 'arrived'] as const),
  ...(['washing', 'washing-again', 'bud-fetches', 'relayed'] as const),
];

/** What happens now to a Bud's order, and what comes next where there is more to say. */
export function budSentences(order: Order): { readonly now: string; readonly next?: string } {
  if (order.status === 'Cancelled' || !WITH_NEXT.includes(order.situation ?? 'requested'))
    return { now: describeStatus(order, 'Bud') };
  const { now, next } = describeLiveOrder(order);
  const delivery = currentDeliveryOf(order);
  const lost = delivery?.status === 'Pending' ? describeLostDuber(delivery, 'Bud') : undefined;
  return { now, next: lost ?? next };
}

/** What asks the Bud for a review when there was no wash; undefined for the usual sentence. */
export const reviewLineOf = (order: Parameters<typeof isSentBack>[0]): string | undefined =>
  isSentBack(order)
    ? 'Nothing was washed this time. How was your Scrub otherwise? Your review helps other Buds choose.'
    : undefined;
