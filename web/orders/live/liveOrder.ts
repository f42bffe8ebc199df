import type { WithFields } from '../../../contract/answerFields.ts';
import type { Order } from '../../../contract/orders.ts';
import type { LIVE_ORDER_FIELDS } from '../../../contract/screenFields.ts';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type DeliveryType,
  ENDED_STATUSES,
  LAUNDRY_STATUSES,
} from '../../../domain/deliveries.ts';
import { arrivalText } from '../../deliveries/position/arrivalText.ts';
import { firstNameOf } from '../../ui/format.ts';

/** An order that is under way, with what its card on the dashboard shows. */
export type LiveOrder = WithFields<Order, (typeof LIVE_ORDER_FIELDS)[number]>;

type Leg = LiveOrder['deliveries'][number];
/** The names in sentences. */
type Names = { readonly scrub: string; readonly duber: string; readonly arrival: string; readonly done: string };
/** What is happening, and what comes next. */
type LiveText = { readonly now: string; readonly next: string };

const legOf = (order: LiveOrder, type: DeliveryType): Leg | undefined =>
  order.deliveries.findLast(({ deliveryType }) => deliveryType === type);

const SOMEBODY = 'A Duber';
/** Nothing is paid for washing laundry that goes back as it is. */
const isUnwashed = ({ price }: LiveOrder) => price.loadPrice === 0;
const doneOf = (order: LiveOrder) => (isUnwashed(order) ? 'Your laundry was not washed' : 'Your laundry is done');

const namesOf = (order: LiveOrder, leg: Leg | undefined): Names => ({
  done: doneOf(order),
  scrub: order.scrub.fullname,
  duber: leg?.duber ? firstNameOf(leg.duber.fullname) : SOMEBODY,
  arrival: `${(leg && arrivalText({ ...leg, scrub: order.scrub }, 'Bud')) ?? ''}.`,
});

/** A delivery that did not go as planned, either way. */
const UNPLANNED_TEXTS = {
  Failed: () => ({ now: 'The delivery did not work out.', next: 'Open the order to choose what happens next.' }),
  Way_Back: ({ duber }: Names) => ({
    now: `${duber} is bringing the laundry back.`,
    next: 'You choose what happens next.',
  }),
  Returned: () => ({ now: 'The laundry was brought back.', next: 'Open the order to choose what happens next.' }),
  Called_Off: () => ({ now: 'The delivery was called off.', next: 'Open the order to see what happens next.' }),
} as const;

/** The way to the Scrub, by the status of its delivery. */
const TO_SCRUB_TEXTS: Record<DeliveryStatus, (names: Names) => LiveText> = {
  Pending: ({ scrub }) => ({
    now: `${scrub} has accepted, and a Duber will soon collect your laundry.`,
    next: 'A Duber takes the trip.',
  }),
  Accepted: ({ duber, scrub }) => ({
    now: `${duber} will collect your laundry and bring it to ${scrub}.`,
    next: `${duber} sets off to you.`,
  }),
  Way_To_Pick: ({ duber, arrival }) => ({ now: arrival, next: `${duber} collects your laundry at your door.` }),
  Collected: ({ duber, scrub, arrival }) => ({ now: arrival, next: `${duber} sets off to ${scrub}.` }),
  Way_To_Drop: ({ scrub, arrival }) => ({ now: arrival, next: `${scrub} gets your laundry.` }),
  ...UNPLANNED_TEXTS,
  Delivered: ({ scrub }) => ({
    now: `Your laundry is with ${scrub}, who will start soon.`,
    next: `${scrub} washes, dries and folds.`,
  }),
};

/** The way back to the Bud, by the status of its delivery. */
const TO_BUD_TEXTS: Record<DeliveryStatus, (names: Names) => LiveText> = {
  Pending: ({ done }) => ({
    now: `${done}, and a Duber will soon bring it back.`,
    next: 'A Duber takes the trip.',
  }),
  Accepted: ({ done, duber, scrub }) => ({
    now: `${done}, and ${duber} will bring it back.`,
    next: `${duber} sets off to ${scrub}.`,
  }),
  Way_To_Pick: ({ duber, arrival }) => ({ now: arrival, next: `${duber} picks up your laundry.` }),
  Collected: ({ duber, arrival }) => ({ now: arrival, next: `${duber} sets off to you.` }),
  Way_To_Drop: ({ arrival }) => ({ now: arrival, next: 'Your laundry is home.' }),
  ...UNPLANNED_TEXTS,
  Delivered: () => ({ now: 'Your laundry is back with you.', next: 'Nothing more to do.' }),
};

/** What happens to an order now, in one sentence, and what comes next. */
export function describeLiveOrder(order: LiveOrder): LiveText {
  const scrub = order.scrub.fullname;
  const [toScrub, toBud] = [legOf(order, 'Bud_To_Scrub'), legOf(order, 'Scrub_To_Bud')];
  if (order.status === 'Requested')
    return {
      now: `${scrub} has not answered yet.`,
      next: `${scrub} accepts or declines within 24 hours. You pay nothing if they decline.`,
    };
  if (order.status === 'Accepted' && order.selfDelivery)
    return { now: `${scrub} has accepted, and waits for your laundry.`, next: `You bring it to ${scrub}.` };
  if (order.status === 'Accepted') return TO_SCRUB_TEXTS[toScrub?.status ?? 'Pending'](namesOf(order, toScrub));
  if (order.status === 'In_Progress')
    return {
      now: isUnwashed(order) ? `${scrub} sends your laundry back unwashed.` : `${scrub} is doing your laundry.`,
      next: order.selfPickup ? `You pick it up from ${scrub}.` : 'A Duber brings it back to your door.',
    };
  if (order.selfPickup)
    return { now: `${doneOf(order)} and waits at ${scrub}.`, next: `You pick it up from ${scrub}.` };
  return TO_BUD_TEXTS[toBud?.status ?? 'Pending'](namesOf(order, toBud));
}

const isCarried = (leg: Leg | undefined) => leg !== undefined && LAUNDRY_STATUSES.includes(leg.status);

/** Who has the laundry now. */
export function holderOf(order: LiveOrder): string {
  const [toScrub, toBud] = [legOf(order, 'Bud_To_Scrub'), legOf(order, 'Scrub_To_Bud')];
  const carrying = [toBud, toScrub].find(isCarried);
  if (carrying) return carrying.duber?.fullname ?? SOMEBODY;
  const isAtScrub = order.status === 'In_Progress' || order.status === 'Completed' || toScrub?.status === 'Delivered';
  return isAtScrub ? order.scrub.fullname : 'You';
}

/** The four parts of every order. */
export const PART_NAMES = ['Answer', 'Pickup', 'Wash', 'Return'] as const;

/** The part that an order is in, as an index of PART_NAMES. */
export function partOf(order: LiveOrder): number {
  if (order.status === 'Requested') return 0;
  if (order.status === 'Completed') return 3;
  const isWaiting = order.status === 'Accepted' && legOf(order, 'Bud_To_Scrub')?.status !== 'Delivered';
  return isWaiting ? 1 : 2;
}

const hasEnded = (status: DeliveryStatus) => (ENDED_STATUSES as readonly DeliveryStatus[]).includes(status);

/** The delivery that a Duber is doing or that waits for one. */
export const currentLegOf = <L extends { readonly status: DeliveryStatus }>(order: {
  readonly deliveries: readonly L[];
}): L | undefined => order.deliveries.find(({ status }) => !hasEnded(status));

const progressOf = (order: LiveOrder) =>
  partOf(order) * DELIVERY_STATUSES.length + DELIVERY_STATUSES.indexOf(currentLegOf(order)?.status ?? 'Pending');

const changedAt = ({ statusHistory, deliveries }: LiveOrder) =>
  Math.max(
    ...[statusHistory, ...deliveries.map((leg) => leg.statusHistory)]
      .flat()
      .map(({ createdAt }) => Date.parse(createdAt)),
  );

/** The order that is furthest along comes first; of equals, the one that changed last. */
export const sortByProgress = (orders: readonly LiveOrder[]): LiveOrder[] =>
  orders.toSorted((a, b) => progressOf(b) - progressOf(a) || changedAt(b) - changedAt(a));
