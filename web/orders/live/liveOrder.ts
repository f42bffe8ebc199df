import type { WithFields } from '../../../contract/answerFields.ts';
import type { Order } from '../../../contract/orders.ts';
import type { LIVE_ORDER_FIELDS } from '../../../contract/screenFields.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, hasEnded } from '../../../domain/deliveries.ts';
import { ORDER_STATUSES } from '../../../domain/orders.ts';
import { deliveryOfWay, type Way } from '../../../domain/process/situation.ts';
import type { WindowKind } from '../../../domain/windows.ts';
import { answerTimes, lateText, notStartedText, type WaySituation } from '../../../texts/orders.ts';
import { currentTime } from '../../clock.ts';
import { arrivalText, isAtDoor } from '../../deliveries/position/arrivalText.ts';
import { firstNameOf } from '../../ui/format.ts';
import {
  describeAtDoor,
  describeAwayScrub,
  describeWayToBud,
  describeWayToScrub,
  isAsPlanned,
  leftAtDoorAt,
  situationBack,
  situationThere,
} from '../laundryWay.ts';
import { isGivenBack, isGivenBackByTown } from '../orderChanges.ts';
import { reachedStop, STOP_COUNT } from '../stops.ts';

/** An order that is under way, with what its card on the dashboard shows. */
export type LiveOrder = WithFields<Order, (typeof LIVE_ORDER_FIELDS)[number]>;

type Delivery = LiveOrder['deliveries'][number];
/** The names in sentences. */
type Names = {
  readonly scrub: string;
  readonly duber: string;
  readonly arrival: string;
  readonly done: string;
  readonly isTimed: boolean;
};
/** What is happening, and what comes next. */
type LiveText = { readonly now: string; readonly next: string };

const deliveryOf = (order: LiveOrder, way: Way): Delivery | undefined => deliveryOfWay(order, way);

const SOMEBODY = 'A Duber';
/** Nothing is paid for washing laundry that goes back as it is. */
const isUnwashed = ({ price }: LiveOrder) => price.loadPrice === 0;
const doneOf = (order: LiveOrder) => {
  if (order.status === 'Cancelled') return 'Your order was cancelled and your laundry comes home';
  return isUnwashed(order) ? 'Your laundry was not washed' : 'Your laundry is done';
};

/** Whether the door that the Duber is on the way to, or at, is that of the Bud. */
const isBudsDoor = ({ status, deliveryType }: Delivery) =>
  status === (deliveryType === 'Bud_To_Scrub' ? 'Way_To_Pick' : 'Way_To_Drop');

/** A Duber who has arrived. */
const doorText = (delivery: Delivery) =>
  `${delivery.duber ? firstNameOf(delivery.duber.fullname) : SOMEBODY} is at ${isBudsDoor(delivery) ? 'your' : 'the'} door`;

/** What the minutes of a Duber who is on the way lead to. */
export function arrivalLabel(order: LiveOrder): string {
  const delivery = currentDeliveryOf(order);
  const isThere = delivery?.deliveryType === 'Bud_To_Scrub';
  if (delivery && isBudsDoor(delivery)) return isThere ? 'At your door at' : 'Back at';
  return `${isThere ? 'With' : 'Collected from'} ${firstNameOf(order.scrub.fullname)} at`;
}

/** Whether somebody comes in an agreed window that is not over. */
const isTimed = ({ times }: LiveOrder, kind: WindowKind) =>
  times !== undefined && new Date(times[kind].until) > currentTime();

const namesOf = (order: LiveOrder, delivery: Delivery | undefined, kind: WindowKind): Names => ({
  done: doneOf(order),
  isTimed: isTimed(order, kind),
  scrub: order.scrub.fullname,
  duber: delivery?.duber ? firstNameOf(delivery.duber.fullname) : SOMEBODY,
  arrival: delivery ? `${arrivalText({ ...delivery, scrub: order.scrub }, 'Bud') ?? doorText(delivery)}.` : '',
});

type Planned = Exclude<DeliveryStatus, 'Failed' | 'Way_Back' | 'Returned' | 'Called_Off'>;

/** The way to the Scrub, by the status of its delivery. */
const TO_SCRUB_TEXTS: Record<Planned, (names: Names) => LiveText> = {
  Pending: ({ scrub, isTimed }) => ({
    now: isTimed
      ? `${scrub} has accepted, and a Duber will collect your laundry at the agreed time.`
      : `${scrub} has accepted, and a Duber will soon collect your laundry.`,
    next: 'A Duber accepts the delivery.',
  }),
  Accepted: ({ duber, scrub }) => ({
    now: `${duber} will collect your laundry and bring it to ${scrub}.`,
    next: `${duber} sets off to you.`,
  }),
  Way_To_Pick: ({ duber, arrival }) => ({ now: arrival, next: `${duber} collects your laundry at your door.` }),
  Collected: ({ duber, scrub, arrival }) => ({ now: arrival, next: `${duber} sets off to ${scrub}.` }),
  Way_To_Drop: ({ scrub, arrival }) => ({ now: arrival, next: `${scrub} gets your laundry.` }),
  Delivered: ({ scrub }) => ({
    now: `Your laundry is with ${scrub}, who will start soon.`,
    next: `${scrub} washes, dries and folds.`,
  }),
};

/** The way back to the Bud, by the status of its delivery. */
const TO_BUD_TEXTS: Record<Planned, (names: Names) => LiveText> = {
  Pending: ({ done, isTimed }) => ({
    now: `${done}, and a Duber will ${isTimed ? 'bring it back at the agreed time' : 'soon bring it back'}.`,
    next: 'A Duber accepts the delivery.',
  }),
  Accepted: ({ done, duber, scrub }) => ({
    now: `${done}, and ${duber} will bring it back.`,
    next: `${duber} sets off to ${scrub}.`,
  }),
  Way_To_Pick: ({ duber, arrival }) => ({ now: arrival, next: `${duber} picks up your laundry.` }),
  Collected: ({ duber, arrival }) => ({ now: arrival, next: `${duber} sets off to you.` }),
  Way_To_Drop: ({ arrival }) => ({ now: arrival, next: 'Your laundry is home.' }),
  Delivered: () => ({ now: 'Your laundry is back with you.', next: 'Nothing more to do.' }),
};

const isPlanned = (status: DeliveryStatus): status is Planned => status in TO_SCRUB_TEXTS;

const nextOfChoice = (delivery: Delivery | undefined, choice: string) =>
  delivery?.reOffers ? 'We get in touch about the next try.' : choice;

/** What comes next when a delivery does not go as planned. */
function nextOfUnplanned(situation: WaySituation, delivery: Delivery | undefined, meet: string): string {
  switch (situation) {
    case 'relayed':
      if (delivery?.status === 'Failed') return nextOfUnplanned('not-collected', delivery, meet);
      return delivery?.duber
        ? `${firstNameOf(delivery.duber.fullname)} continues with it.`
        : 'Another Duber accepts the delivery.';
    case 'not-taken':
      return 'The Duber brings it back, or tries again the same day.';
    case 'way-back':
      return nextOfChoice(delivery, 'You choose what happens next.');
    case 'not-collected':
    case 'brought-back':
      return nextOfChoice(delivery, 'Open the order to choose what happens next.');
    case 'called-off':
      return meet;
    default:
      return 'We look into it and get in touch.';
  }
}

const NEXT_OF_AWAY = 'We will tell you when it continues, or when somebody else takes over.';

const textOfAwayDuber = (delivery: Delivery): LiveText => ({
  now: `${delivery.hasLaundry ? `${delivery.duber?.fullname ?? SOMEBODY} has your laundry. ` : ''}We do not know yet when the trip continues.`,
  next: NEXT_OF_AWAY,
});

function describeToScrub(order: LiveOrder): LiveText {
  const [delivery, situation] = [deliveryOf(order, 'there'), situationThere(order)];
  const names = namesOf(order, delivery, 'pickup');
  if (situation === 'delivered')
    return { ...TO_SCRUB_TEXTS.Delivered(names), now: notStartedText({ scrub: names.scrub, delay: order.delay }) };
  const status = delivery?.status ?? 'Pending';
  if (delivery?.isDuberAway && isAsPlanned(situation)) return textOfAwayDuber(delivery);
  if (isAsPlanned(situation) && isPlanned(status)) return TO_SCRUB_TEXTS[status](names);
  const next = nextOfUnplanned(situation, delivery, `You bring it to ${names.scrub}.`);
  return { now: describeWayToScrub(order, 'Bud'), next };
}

/** Where laundry is on its way home, after why it goes there. */
const homeText = (order: LiveOrder, where: string) =>
  order.status === 'Cancelled'
    ? `Your order was cancelled. ${where.replace(/^It /, 'Your laundry ')}`
    : `${doneOf(order)}. ${where}`;

function describeToBud(order: LiveOrder): LiveText {
  const [delivery, situation] = [deliveryOf(order, 'back'), situationBack(order)];
  const names = namesOf(order, delivery, 'return');
  const atDoor = describeAtDoor(order, 'Bud');
  if (situation === 'delivered' && atDoor)
    return { now: homeText(order, atDoor), next: 'Open the order to see the photo, and to say that you have it.' };
  const status = delivery?.status ?? 'Pending';
  if (delivery?.isDuberAway && isAsPlanned(situation)) return textOfAwayDuber(delivery);
  if (isAsPlanned(situation) && isPlanned(status)) return TO_BUD_TEXTS[status](names);
  const next = nextOfUnplanned(situation, delivery, `You pick it up from ${names.scrub}.`);
  return { now: homeText(order, describeWayToBud(order, 'Bud')), next };
}

function describeRequested(order: LiveOrder): LiveText {
  const scrub = order.scrub.fullname;
  if (isGivenBack(order)) {
    const now = isGivenBackByTown(order)
      ? `The town has taken your order from ${scrub}.`
      : `${scrub} gave your order back.`;
    return { now, next: 'Open the order to choose another Scrub, or to cancel.' };
  }
  const isFirst = order.round === 1;
  return {
    now: `${scrub} has not answered yet.`,
    next: `${scrub} answers ${answerTimes(order).until}. ${isFirst ? 'You pay nothing if they decline, or do not answer.' : 'If they decline, or do not answer, you pay them nothing.'}`,
  };
}

function describeInProgress(order: LiveOrder): LiveText {
  const scrub = order.scrub.fullname;
  const next = order.selfPickup ? `You pick it up from ${scrub}.` : 'A Duber brings it back to your door.';
  const situation = situationThere(order);
  if (isUnwashed(order)) return { now: `${scrub} sends your laundry back unwashed.`, next };
  if (situation === 'delivered')
    return {
      now: `${scrub} is ${order.isCleanedAgain ? 'cleaning your laundry again' : 'doing your laundry'}.${lateText(order)}`,
      next,
    };
  if (order.isCleanedAgain) {
    const now = `${scrub} will clean your laundry again. ${describeWayToScrub(order, 'Bud')}`;
    return { now, next: isAsPlanned(situation) ? `${scrub} gets your laundry.` : describeToScrub(order).next };
  }
  if (isAsPlanned(situation)) return { now: `${scrub} is doing your laundry.`, next };
  const { now, next: then } = describeToScrub(order);
  return { now: `${scrub} has started. ${now}`, next: then };
}

/** What happens to an order now, in a sentence or two, and what comes next. */
export function describeLiveOrder(order: LiveOrder): LiveText {
  const scrub = order.scrub.fullname;
  if (order.status === 'Requested') return describeRequested(order);
  if (order.status === 'Cancelled') return describeCancelled(order);
  const away = describeAwayScrub(order);
  if (away) return { now: away, next: NEXT_OF_AWAY };
  if (order.status === 'In_Progress') return describeInProgress(order);
  if (order.status === 'Accepted')
    return order.selfDelivery && !order.isHandedOver
      ? { now: `${scrub} has accepted, and waits for your laundry.`, next: `You bring it to ${scrub}.` }
      : describeToScrub(order);
  if (order.selfPickup)
    return { now: `${doneOf(order)} and waits at ${scrub}.`, next: `You pick it up from ${scrub}.` };
  return describeToBud(order);
}

/** An order that was cancelled while its laundry was away. Only a delivery home says how it comes back. */
function describeCancelled(order: LiveOrder): LiveText {
  if (deliveryOf(order, 'back')) return describeToBud(order);
  return situationThere(order) === 'lost'
    ? {
        now: 'Your order was cancelled, and your laundry is reported as lost.',
        next: 'Open the order to see what you can do about it.',
      }
    : { now: 'Your order was cancelled.', next: 'Open the order to see how your laundry comes back.' };
}

const WITH_DUBER: readonly WaySituation[] = ['carried', 'at-drop', 'not-taken', 'way-back'];
const BEFORE_PICKUP: readonly WaySituation[] = [
  'waits-for-duber',
  'coming',
  'at-pickup',
  'not-collected',
  'brought-back',
];

/** Whether the Bud has the laundry while it is not at the Scrub's. Who started without it may have it. */
function isAtBud({ status, isCleanedAgain, deliveries }: LiveOrder, situation: WaySituation): boolean {
  if (situation === 'lost' || situation === 'stranded') return false;
  if (status === 'Accepted' || situation === 'not-collected' || situation === 'brought-back') return true;
  return isCleanedAgain === true && deliveries.every((delivery) => delivery.status !== 'Called_Off');
}

/** Who has the laundry now; undefined where that is not known. */
export function holderOf(order: LiveOrder): string | undefined {
  if (order.status === 'Requested') return 'You';
  const isHome = order.status === 'Completed' || deliveryOf(order, 'back') !== undefined;
  if (order.status === 'Cancelled' && !isHome) return undefined;
  const situation = isHome ? situationBack(order) : situationThere(order);
  if (situation === 'relayed') return 'The Duber who could not continue';
  if (WITH_DUBER.includes(situation)) return deliveryOf(order, isHome ? 'back' : 'there')?.duber?.fullname ?? SOMEBODY;
  if (!isHome) {
    if (situation === 'delivered') return order.scrub.fullname;
    return isAtBud(order, situation) ? 'You' : undefined;
  }
  if (situation === 'delivered') return leftAtDoorAt(order) === undefined ? 'You' : 'At your door';
  return BEFORE_PICKUP.includes(situation) && situationThere(order) === 'delivered' ? order.scrub.fullname : undefined;
}

/** The delivery that a Duber is doing or that waits for one. */
export const currentDeliveryOf = <L extends { readonly status: DeliveryStatus }>(order: {
  readonly deliveries: readonly L[];
}): L | undefined => order.deliveries.find(({ status }) => !hasEnded(status));

/** A cancelled order whose laundry comes home is as far as one that is completed. */
const rankOf = ({ status }: LiveOrder) => Math.min(ORDER_STATUSES.indexOf(status), ORDER_STATUSES.indexOf('Completed'));

const progressOf = (order: LiveOrder) =>
  (rankOf(order) * STOP_COUNT + reachedStop(order)) * DELIVERY_STATUSES.length +
  DELIVERY_STATUSES.indexOf(currentDeliveryOf(order)?.status ?? 'Delivered');

/** How much an order needs its Bud: 2 while a Duber waits at their door, 1 after something has gone wrong. */
function urgencyOf(order: LiveOrder): 0 | 1 | 2 {
  const delivery = currentDeliveryOf(order);
  if (delivery && isBudsDoor(delivery) && isAtDoor(delivery)) return 2;
  const isStuck = delivery?.status === 'Failed' || delivery?.status === 'Returned';
  return isStuck || isGivenBack(order) ? 1 : 0;
}

/** The order that needs its Bud comes first, then the one that is furthest along; then the newest. */
export const sortByProgress = (orders: readonly LiveOrder[]): LiveOrder[] =>
  orders.toSorted((a, b) => urgencyOf(b) - urgencyOf(a) || progressOf(b) - progressOf(a));
