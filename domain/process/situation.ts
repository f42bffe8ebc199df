import {
  BEFORE_PICKUP,
  type DeliveryStatus,
  type DeliveryType,
  GOING_TO_DROP,
  isWithLaundry,
  WITHOUT_NEXT_DUBER,
} from '../deliveries.ts';
import type { OrderStatus, WayHome } from '../orders.ts';

// Where a delivery and an order stand, each as one name. Sentences are looked up by this name and by their reader.

/** A line fits when every fact that it names has its value, or one of its values. The first line that fits gives the situation. */
export type SituationLine<Name extends string, Facts> = {
  readonly situation: Name;
  readonly fits: { readonly [F in keyof Facts]?: Facts[F] | readonly Facts[F][] };
};

/** The values of a fact that a line allows. */
export const valuesOf = (allowed: unknown): readonly unknown[] => (Array.isArray(allowed) ? allowed : [allowed]);

function firstFit<Name extends string, Facts extends object>(
  lines: readonly SituationLine<Name, Facts>[],
  facts: Facts,
): Name {
  const found = lines.find(({ fits }) =>
    (Object.keys(fits) as (keyof Facts)[]).every((fact) => valuesOf(fits[fact]).includes(facts[fact])),
  );
  if (!found) throw new Error(`no situation fits ${JSON.stringify(facts)}`);
  return found.situation;
}

export const DELIVERY_SITUATIONS = [
  'lost',
  'stranded',
  'called-off',
  'not-taken',
  'relayed',
  'not-collected',
  'way-back',
  'brought-back',
  'at-pickup',
  'at-drop',
  'carried',
  'coming',
  'waits-for-duber',
  'delivered',
] as const;
export type DeliverySituation = (typeof DELIVERY_SITUATIONS)[number];

export type DeliverySituationFacts = {
  readonly status: DeliveryStatus;
  /** Whether its Duber has the laundry. */
  readonly hasLaundry: boolean;
  /** Whether the laundry is reported as lost and was not found since, or was lost when the delivery was called off. */
  readonly isLost: boolean;
  /** Whether an earlier Duber, who could not go on, has the laundry, or had it when the delivery was called off. */
  readonly isRelayed: boolean;
  /** Whether its Duber is at the door where the delivery is now. */
  readonly hasArrived: boolean;
};

export const DELIVERY_LINES: readonly SituationLine<DeliverySituation, DeliverySituationFacts>[] = [
  { situation: 'lost', fits: { status: ['Failed', 'Called_Off'], isLost: true } },
  { situation: 'stranded', fits: { status: 'Called_Off', isRelayed: true } },
  { situation: 'called-off', fits: { status: 'Called_Off' } },
  { situation: 'not-taken', fits: { status: 'Failed', hasLaundry: true } },
  { situation: 'relayed', fits: { isRelayed: true } },
  { situation: 'not-collected', fits: { status: 'Failed' } },
  { situation: 'way-back', fits: { status: 'Way_Back' } },
  { situation: 'brought-back', fits: { status: 'Returned' } },
  { situation: 'at-pickup', fits: { status: 'Way_To_Pick', hasArrived: true } },
  { situation: 'at-drop', fits: { status: 'Way_To_Drop', hasArrived: true } },
  { situation: 'carried', fits: { status: GOING_TO_DROP } },
  { situation: 'coming', fits: { status: BEFORE_PICKUP } },
  { situation: 'waits-for-duber', fits: { status: 'Pending' } },
  { situation: 'delivered', fits: { status: 'Delivered' } },
];

type HistoryStep = {
  readonly action: string;
  readonly attempt?: number;
  readonly createdAt?: string;
  readonly takenAt?: string | null;
  readonly countsFrom?: string | null;
};
/** A delivery with the steps that were not planned, oldest first, as an answer and the server's own facts have them. */
type DeliveryHistory = {
  readonly status: DeliveryStatus;
  readonly hasLaundry: boolean;
  readonly attempt?: number;
  readonly exceptions: readonly HistoryStep[];
};

const ARRIVALS: Partial<Record<DeliveryStatus, string>> = {
  Way_To_Pick: 'arrived-at-pickup',
  Way_To_Drop: 'arrived-at-drop',
};

/**
 * When the Duber arrived at the door where the delivery is now. An arrival stands when a later step is taken back, which counts one
 * more attempt. Other steps that start over may be out of the Duber's sight, if they were before they accepted the delivery again.
 */
export function findArrival({
  status,
  attempt = 1,
  exceptions,
}: Omit<DeliveryHistory, 'hasLaundry'>): Date | undefined {
  const takenBack = exceptions.filter(({ action }) => action === 'correct').map((step) => step.attempt);
  let first = attempt;
  while (takenBack.includes(first - 1)) first -= 1;
  const arrival = exceptions.find((step) => step.action === ARRIVALS[status] && (step.attempt ?? 1) >= first);
  const at = arrival?.countsFrom ?? arrival?.takenAt ?? arrival?.createdAt;
  return at === undefined ? undefined : new Date(at);
}

/** The facts of a delivery from the steps that its reader sees: a Duber sees none of earlier Dubers. */
export function factsOfDelivery(delivery: DeliveryHistory): DeliverySituationFacts {
  const { status, hasLaundry, exceptions } = delivery;
  const steps = exceptions.map(({ action }) => action).filter((action) => action !== 'call-off');
  const wasRelayed = steps.findLast((action) => action === 'relay' || action === 'brought-back') === 'relay';
  return {
    status,
    hasLaundry: hasLaundry || isWithLaundry(status),
    isLost: (status === 'Failed' || status === 'Called_Off') && steps.at(-1) === 'report-lost',
    isRelayed: wasRelayed && (status === 'Called_Off' || WITHOUT_NEXT_DUBER.includes(status)),
    hasArrived: findArrival(delivery) !== undefined,
  };
}

export const situationOfDelivery = (delivery: DeliveryHistory): DeliverySituation =>
  firstFit(DELIVERY_LINES, factsOfDelivery(delivery));

/** What an order adds to the situations of its deliveries. */
export const ORDER_SITUATIONS = [
  'rejected',
  'unanswered',
  'cancelled-free',
  'cancelled',
  'fetched-home',
  'lost-home',
  'taken-back',
  'given-back',
  'asked-again',
  'requested',
  'heavier',
  'unwashed',
  'bud-brings',
  'arrived',
  'washing-again',
  'washing',
  'bud-fetches',
  'home',
  ...DELIVERY_SITUATIONS.filter((situation) => situation !== 'delivered'),
] as const;
export type OrderSituation = (typeof ORDER_SITUATIONS)[number];

/** Where the laundry goes: there, to the Scrub, or back to its Bud. */
export const WAYS = ['there', 'back'] as const;
export type Way = (typeof WAYS)[number];

/** What the server says about an order that takes long. */
export const DELAYS = ['remind', 'scrub-silent', 'late', 'promise-overdue'] as const;
export type Delay = (typeof DELAYS)[number];

export type OrderSituationFacts = {
  readonly status: OrderStatus;
  readonly wasAccepted: boolean;
  /** Whether it ended because its Scrub did not answer in time. */
  readonly hasExpired: boolean;
  /** Whether the Scrub or the town gave the order back; null unless the order waits for another Scrub. */
  readonly givenBackBy: 'scrub' | 'town' | null;
  /** Whether its Bud is asked about a heavier weight, or its laundry goes back unwashed. */
  readonly weight: 'asked' | 'unwashed' | null;
  readonly isCleanedAgain: boolean;
  /** Whether the laundry came to the Scrub without a Duber in this round. */
  readonly isHandedOver: boolean;
  /** Whether its Bud brings the laundry, or fetches it, on the present way. */
  readonly isBudsWay: boolean;
  /** Whether its Bud has the laundry again. */
  readonly isWithBud: boolean;
  readonly wayHome: WayHome | null;
  /** The delivery of the present way in this round. */
  readonly delivery: DeliverySituation | null;
};

const AS_PLANNED = ['waits-for-duber', 'coming', 'at-pickup', 'carried', 'at-drop', 'delivered', null] as const;
const UNDER_WAY = ['Accepted', 'In_Progress'] as const;

export const ORDER_LINES: readonly SituationLine<OrderSituation, OrderSituationFacts>[] = [
  { situation: 'rejected', fits: { status: 'Rejected' } },
  { situation: 'unanswered', fits: { status: 'Cancelled', wasAccepted: false, hasExpired: true } },
  { situation: 'cancelled-free', fits: { status: 'Cancelled', wasAccepted: false } },
  { situation: 'cancelled', fits: { status: 'Cancelled', isWithBud: true } },
  { situation: 'fetched-home', fits: { status: 'Cancelled', wayHome: 'fetch' } },
  { situation: 'lost-home', fits: { status: 'Cancelled', wayHome: 'lost' } },
  { situation: 'taken-back', fits: { status: 'Requested', givenBackBy: 'town' } },
  { situation: 'given-back', fits: { status: 'Requested', givenBackBy: 'scrub' } },
  { situation: 'asked-again', fits: { status: 'Requested', wasAccepted: true } },
  { situation: 'requested', fits: { status: 'Requested' } },
  { situation: 'heavier', fits: { status: UNDER_WAY, weight: 'asked' } },
  { situation: 'unwashed', fits: { status: UNDER_WAY, weight: 'unwashed' } },
  { situation: 'arrived', fits: { status: 'Accepted', isHandedOver: true } },
  { situation: 'arrived', fits: { status: 'Accepted', delivery: 'delivered' } },
  { situation: 'washing-again', fits: { status: 'In_Progress', isCleanedAgain: true, isHandedOver: true } },
  { situation: 'washing-again', fits: { status: 'In_Progress', isCleanedAgain: true, delivery: 'delivered' } },
  // An order that was started before its laundry came reads as planned while the delivery goes as planned.
  { situation: 'washing', fits: { status: 'In_Progress', isCleanedAgain: false, isHandedOver: true } },
  { situation: 'washing', fits: { status: 'In_Progress', isCleanedAgain: false, isBudsWay: true } },
  { situation: 'washing', fits: { status: 'In_Progress', isCleanedAgain: false, delivery: AS_PLANNED } },
  { situation: 'bud-brings', fits: { status: UNDER_WAY, isBudsWay: true } },
  { situation: 'home', fits: { delivery: 'delivered' } },
  { situation: 'home', fits: { status: 'Completed', isBudsWay: true, isWithBud: true, weight: null } },
  { situation: 'home', fits: { status: 'Completed', delivery: 'called-off', isWithBud: true, weight: null } },
  { situation: 'bud-fetches', fits: { status: 'Completed', isBudsWay: true } },
  ...DELIVERY_SITUATIONS.flatMap((situation) =>
    situation === 'delivered' ? [] : { situation, fits: { delivery: situation } },
  ),
  { situation: 'waits-for-duber', fits: { delivery: null } },
];

/** The name for where an order stands: the first line that fits. */
export const situationOf = (facts: OrderSituationFacts): OrderSituation => firstFit(ORDER_LINES, facts);

/** The fields of an order's answer that decide its way and its situation. */
type OrderHistory = {
  readonly status: OrderStatus;
  readonly statusHistory: readonly { readonly status: OrderStatus }[];
  readonly round: number;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly isHandedOver: boolean;
  readonly deliveries: readonly (DeliveryHistory & { readonly deliveryType: DeliveryType; readonly round: number })[];
};

type OnWay = { readonly deliveryType: DeliveryType; readonly round: number };

/** The delivery of a way in the present round, if a Duber has that way. */
export const deliveryOfWay = <D extends OnWay>(
  { round, deliveries }: { readonly round: number; readonly deliveries: readonly D[] },
  way: Way,
): D | undefined =>
  deliveries.findLast(
    (one) => one.round === round && one.deliveryType === (way === 'there' ? 'Bud_To_Scrub' : 'Scrub_To_Bud'),
  );

/** An order that was cancelled while its laundry was away may have a delivery that brings the laundry home. */
export const wayOf = (order: {
  readonly status: OrderStatus;
  readonly round: number;
  readonly deliveries: readonly OnWay[];
}): Way =>
  order.status === 'Completed' || (order.status === 'Cancelled' && deliveryOfWay(order, 'back')) ? 'back' : 'there';

/** The facts of an order from its answer. `known` has those that do not follow from the steps. */
export function factsOfOrder(
  order: OrderHistory,
  known: Pick<
    OrderSituationFacts,
    'hasExpired' | 'givenBackBy' | 'weight' | 'isCleanedAgain' | 'isWithBud' | 'wayHome'
  >,
): OrderSituationFacts {
  const { status, statusHistory, selfDelivery, selfPickup, isHandedOver } = order;
  const way = wayOf(order);
  const delivery = deliveryOfWay(order, way);
  return {
    ...known,
    ...{ status, isHandedOver },
    wasAccepted: statusHistory.some((step) => step.status === 'Accepted'),
    isBudsWay: way === 'there' ? selfDelivery : selfPickup && !delivery,
    delivery: delivery ? situationOfDelivery(delivery) : null,
  };
}
