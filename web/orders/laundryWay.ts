import { isLaundryHere, type LaundryLeg, type LaundryStage, stageOf } from '../../domain/laundry.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { formatDateInText } from '../ui/format.ts';

/** What of an order says where its laundry is on its way. */
export type LaundryWay = {
  readonly status: OrderStatus;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly round: number;
  readonly isHandedOver: boolean;
  readonly isScrubAway?: boolean | undefined;
  readonly exceptions: readonly { readonly action: string; readonly round?: number }[];
  readonly scrub: { readonly fullname: string };
  readonly bud?: { readonly fullname: string };
  readonly deliveries: readonly (LaundryLeg & { readonly leftAtDoorAt?: string | null | undefined })[];
};
type Reader = 'Bud' | 'Scrub';
type Describe = (names: { readonly bud: string; readonly scrub: string }) => string;
type WayTexts = Readonly<Record<LaundryStage, Describe>>;

/** The way to the Scrub. */
const TO_SCRUB: Record<Reader, WayTexts> = {
  Bud: {
    waiting: () => 'A Duber will bring them your laundry.',
    carried: () => 'A Duber is bringing them your laundry.',
    delivered: ({ scrub }) => `Your laundry is with ${scrub}.`,
    relayed: () => 'Your laundry waits with a Duber who could not go on, until one brings it to your Scrub.',
    'not-collected': () => 'Your laundry has not reached your Scrub: it was not collected.',
    'not-taken': () => 'Your laundry has not reached your Scrub: the Duber could not hand it over, and still has it.',
    lost: () => 'Your laundry has not reached your Scrub: it is reported as lost.',
    'way-back': () => 'Your laundry has not reached your Scrub: it is on its way back to you.',
    'brought-back': () => 'Your laundry has not reached your Scrub: it was brought back to you.',
    'called-off': () => 'Its delivery was called off: you bring your laundry over.',
    stranded: () => 'Its delivery was called off while a Duber had your laundry. We get in touch about it.',
  },
  Scrub: {
    waiting: () => 'A Duber will bring it to you.',
    carried: () => 'A Duber is bringing it to you.',
    delivered: () => 'It has arrived.',
    relayed: () => 'It waits with a Duber who could not go on, until one brings it to you.',
    'not-collected': ({ bud }) => `It was not collected from ${bud}.`,
    'not-taken': () => 'The Duber could not hand it over to you, and still has it.',
    lost: () => 'It is reported as lost.',
    'way-back': ({ bud }) => `It is on its way back to ${bud}.`,
    'brought-back': ({ bud }) => `It was brought back to ${bud}.`,
    'called-off': ({ bud }) => `Its delivery was called off: ${bud} brings it to you.`,
    stranded: () => 'Its delivery was called off while a Duber had it. The town looks after it.',
  },
};

/** The way back to the Bud. */
const TO_BUD: Record<Reader, WayTexts> = {
  Bud: {
    waiting: () => 'A Duber will bring it back to your door.',
    carried: () => 'A Duber is bringing it back to your door.',
    delivered: () => 'It is back with you.',
    relayed: () => 'It waits with a Duber who could not go on, until one brings it to your door.',
    'not-collected': ({ scrub }) => `It is still with ${scrub}: the Duber did not get it.`,
    'not-taken': () => 'The Duber could not hand it over to you, and still has it.',
    lost: () => 'It is reported as lost.',
    'way-back': ({ scrub }) => `It could not be handed over to you, and is on its way back to ${scrub}.`,
    'brought-back': ({ scrub }) => `It could not be handed over to you, and is with ${scrub} again.`,
    'called-off': ({ scrub }) => `Its delivery was called off: you pick it up from ${scrub}.`,
    stranded: () => 'Its delivery was called off while a Duber had it. We get in touch about it.',
  },
  Scrub: {
    waiting: () => 'A Duber will take the laundry back.',
    carried: () => 'A Duber is taking the laundry back.',
    delivered: () => 'The laundry is back with its owner.',
    relayed: () => 'The laundry waits with a Duber who could not go on, until one takes it back.',
    'not-collected': () => 'The laundry was not collected from you.',
    'not-taken': ({ bud }) => `The Duber could not hand the laundry over to ${bud}, and still has it.`,
    lost: () => 'The laundry is reported as lost.',
    'way-back': ({ bud }) => `The laundry could not be handed over to ${bud}, and is on its way back to you.`,
    'brought-back': ({ bud }) => `The laundry could not be handed over to ${bud}, and is with you again.`,
    'called-off': ({ bud }) => `Its delivery was called off: ${bud} picks the laundry up.`,
    stranded: () => 'Its delivery was called off while a Duber had the laundry. The town looks after it.',
  },
};

const BROUGHT_BY_BUD: Record<Reader, Describe> = {
  Bud: () => 'Bring your laundry over when it suits you both.',
  Scrub: ({ bud }) => `${bud} will bring you the laundry.`,
};

const lastLeg = ({ deliveries, round }: LaundryWay, type: LaundryLeg['deliveryType']) =>
  deliveries.findLast((leg) => leg.deliveryType === type && leg.round === round);

/** Whether no Duber brings the laundry of the present round to the Scrub any more, so its Bud brings it. */
export const isBroughtByBud = (order: LaundryWay): boolean =>
  order.selfDelivery || lastLeg(order, 'Bud_To_Scrub')?.status === 'Called_Off';

/** How far the laundry has come on its way to the Scrub in the present round; undefined while its Bud brings it. */
export function stageToScrub(order: LaundryWay): LaundryStage | undefined {
  if (isLaundryHere(order)) return 'delivered';
  if (order.selfDelivery) return undefined;
  const leg = lastLeg(order, 'Bud_To_Scrub');
  return leg ? stageOf(leg) : 'waiting';
}

/** How far the laundry has come on its way home; undefined when its Bud fetches it. */
export function stageToBud(order: LaundryWay): LaundryStage | undefined {
  const leg = lastLeg(order, 'Scrub_To_Bud');
  // A Duber may bring home what its Bud wanted to fetch, when the order was cancelled.
  if (order.selfPickup && !leg) return undefined;
  return leg ? stageOf(leg) : 'waiting';
}

const namesOf = ({ bud, scrub }: LaundryWay) => ({ bud: bud?.fullname ?? 'the customer', scrub: scrub.fullname });

/** Since when the laundry stands at the door of its Bud, who has not said yet that they have it. */
export const leftAtDoorAt = ({ deliveries }: Pick<LaundryWay, 'deliveries'>): string | undefined =>
  deliveries.find((leg) => leg.leftAtDoorAt)?.leftAtDoorAt ?? undefined;

/** Laundry at a door; undefined while none is. */
export function describeAtDoor(order: LaundryWay, reader: Reader): string | undefined {
  const since = leftAtDoorAt(order);
  if (since === undefined) return undefined;
  const { bud } = namesOf(order);
  return `It stands at ${reader === 'Bud' ? 'your' : `${bud}’s`} door since ${formatDateInText(since)}.`;
}

/** Where the laundry is on its way to the Scrub, in one sentence. */
export function describeWayToScrub(order: LaundryWay, reader: Reader): string {
  const stage = stageToScrub(order);
  const atDoor = stage === 'brought-back' ? describeAtDoor(order, reader) : undefined;
  if (atDoor) return reader === 'Bud' ? `Your laundry has not reached your Scrub. ${atDoor}` : atDoor;
  return (stage ? TO_SCRUB[reader][stage] : BROUGHT_BY_BUD[reader])(namesOf(order));
}

/** Where the laundry is on its way home, in one sentence. Only for laundry that a Duber brings. */
export const describeWayToBud = (order: LaundryWay, reader: Reader): string =>
  (stageToBud(order) === 'delivered' ? describeAtDoor(order, reader) : undefined) ??
  TO_BUD[reader][stageToBud(order) ?? 'called-off'](namesOf(order));

/** For the Bud, while the Scrub cannot work: undefined when they can. Why is between them and the town. */
export function describeAwayScrub(order: LaundryWay): string | undefined {
  if (!order.isScrubAway || (order.status !== 'Accepted' && order.status !== 'In_Progress')) return undefined;
  const scrub = order.scrub.fullname;
  const stage = stageToScrub(order);
  if (stage === 'delivered') return `Your laundry is with ${scrub}. We do not know yet when it goes on.`;
  const when = `We do not know yet when ${scrub} can take your laundry.`;
  if (stage === undefined || (stage === 'called-off' && isBroughtByBud(order)))
    return `${when} Please do not bring it before you hear from us.`;
  return `${when} ${describeWayToScrub(order, 'Bud')}`;
}

const happenedNow = ({ exceptions, round }: Pick<LaundryWay, 'exceptions' | 'round'>, action: string) =>
  exceptions.some((step) => step.action === action && (step.round ?? round) === round);

/** For the Bud: laundry that the Scrub has, and has not started to wash. */
export function describeNotStarted(order: LaundryWay): string {
  const start = `Your laundry is with ${order.scrub.fullname}, who`;
  if (happenedNow(order, 'scrub-silent')) return `${start} has not started yet. The town knows, and looks into it.`;
  return happenedNow(order, 'remind')
    ? `${start} has not started yet. We have reminded them.`
    : `${start} will start soon.`;
}

/** For the Bud, of laundry that is washed for longer than planned: what is done about it. */
export const lateText = (order: Pick<LaundryWay, 'exceptions' | 'round'>): string =>
  happenedNow(order, 'late') ? ' It takes longer than planned: the town knows, and looks into it.' : '';

const AS_PLANNED: readonly (LaundryStage | undefined)[] = ['waiting', 'carried', 'delivered', undefined];

/** Whether the laundry is on its way, or will be, as everybody expects. */
export const isAsPlanned = (stage: LaundryStage | undefined): boolean => AS_PLANNED.includes(stage);

/** Whether the laundry is cleaned again. */
export const isCleanedAgain = ({ exceptions }: Pick<LaundryWay, 'exceptions'>): boolean =>
  exceptions.some(({ action }) => action === 'reopen');
