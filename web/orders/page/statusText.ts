import type { Order } from '../../../contract/orders.ts';
import { type OrderReader, STATUS_TEXTS } from '../../../texts/orders.ts';
import { isSentBack } from '../../weighing/useWeighing.ts';
import {
  describeAwayScrub,
  describeWayToBud,
  describeWayToScrub,
  type LaundryWay,
  leftAtDoorAt,
  situationBack,
} from '../laundryWay.ts';
import { type CalledOffOrder, endingText, refundSentence, wasAccepted } from '../refund.ts';

/** The parts of an order that the status text needs. */
type StatusTextInput = LaundryWay &
  CalledOffOrder &
  Pick<Order, 'situation' | 'way'> & {
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
    isWeighed: order.ceilingSize !== undefined,
    isUnwashed: isSentBack(order),
    isFetched: order.selfPickup || situationBack(order) === 'called-off',
    where: (way === 'back' ? describeWayToBud : describeWayToScrub)(order, reader),
    isAtDoor: leftAtDoorAt(order) !== undefined,
    ending: endingText(order),
    refund: refundSentence(order),
  });
}

/** What asks the Bud for a review when there was no wash; undefined for the usual sentence. */
export const reviewLineOf = (order: Parameters<typeof isSentBack>[0]): string | undefined =>
  isSentBack(order)
    ? 'Nothing was washed this time. How was your Scrub otherwise? Your review helps other Buds choose.'
    : undefined;
