import {
  BEFORE_PICKUP,
  DELIVERY_ACTIONS,
  DELIVERY_STATUSES,
  type DeliveryAction,
  type DeliveryExceptionAction,
  type DeliveryStatus,
  type DeliveryTownAction,
  type DeliveryType,
  GOING_TO_DROP,
  WITH_LAUNDRY,
} from '../deliveries.ts';
import { leastEarningOfPart } from '../earnings.ts';
import { type Need, SILENT_DUBER_MS } from '../needs.ts';
import type { TripPayer } from '../orders.ts';
import type { Cents } from '../payments.ts';
import { distanceInMeters, type Point } from '../places.ts';
import { type Actor, fromEach, rowsOfOperators, rowsOfPeople, rowsOfTimers, type Transition } from '../workflow.ts';
import { isRelayed } from './holder.ts';
import type { DeliveryCauses, DeliveryNotice, EndedBy, RowEarning, StepCase } from './row.ts';

// The life of a delivery: who may do what, at which status, what it needs, and what it causes.

/** A delivery before a step. Money in cents. */
export type DeliveryBefore = {
  readonly status: DeliveryStatus;
  readonly type: DeliveryType;
  readonly duberId: string | null;
  /** The earlier Duber who could not go on. Stays set after the next one collects: `isRelayed` says whether that Duber still has the laundry. */
  readonly carrierId: string | null;
  readonly hasLaundry: boolean;
  readonly price: Cents;
  /** Who pays the deliveries of an order that is cleaned again; null when its Bud has paid. */
  readonly paidBy: TripPayer | null;
  /** The whole way from where the laundry comes from, by the order. */
  readonly wholeWay: { readonly price: Cents; readonly distanceM: number };
  readonly origin: Point;
  /** Where it is collected: somewhere on the way once a Duber could not go on. */
  readonly pickup: Point;
  readonly drop: Point;
  /** When the Duber arrived at the door, as far as that counts. */
  readonly arrivedAt: Date | null;
  readonly lastAction: string | null;
  /** Since when its laundry is lost: until it is found, also when the delivery is called off meanwhile. */
  readonly lostAt: Date | null;
  /** The window in which its Duber comes or brings the laundry; null for as soon as possible. */
  readonly dueFrom: Date | null;
  readonly dueUntil: Date | null;
};

/** What a step can change of a delivery, besides its status and its attempt. */
export type DeliveryColumns = {
  readonly duberId: string | null;
  readonly hasLaundry: boolean;
  readonly carrierId: string | null;
  /** The Duber who may not accept the delivery again before others could, and since when. */
  readonly leftBy: string | null;
  readonly leftAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly stoppedAt: Date | null;
  readonly lostAt: Date | null;
  readonly price: Cents;
  readonly distanceM: number;
  readonly pickup: Point;
  readonly dueFrom: Date | null;
  readonly dueUntil: Date | null;
};

/** A step that is being taken. */
export type DeliveryTaken = {
  readonly delivery: DeliveryBefore;
  /** The account that takes the step; null when it is unknown. */
  readonly actorId: string | null;
  readonly at: Date;
  readonly reason: string | null;
  /** The side that ended the order, for `call-off`. */
  readonly cause: EndedBy;
  /** Where the laundry is, for `relay`. */
  readonly place: Point | undefined;
};

/**
 * Splits the delivery at `place`: what its Duber earns, what the next one will earn, and the remaining distance. Each also drives
 * to where they get the laundry, which nobody measures, so each earns at least a part of the whole way.
 */
export function splitTripPrice(
  {
    pickup,
    drop,
    price,
    wholeWay,
  }: Pick<DeliveryBefore, 'pickup' | 'drop' | 'price'> & {
    readonly wholeWay: { readonly price: Cents };
  },
  place: Point,
): { cents: Cents; restCents: Cents; restM: number } {
  const [doneM, restM] = [distanceInMeters(pickup, place), distanceInMeters(place, drop)];
  const share = doneM + restM === 0 ? 0 : Math.round((price * doneM) / (doneM + restM));
  const least = leastEarningOfPart(wholeWay.price);
  return { cents: Math.max(least, share), restCents: Math.max(least, price - share), restM };
}

export type DeliveryRow = Transition<
  DeliveryAction | DeliveryExceptionAction | DeliveryTownAction,
  DeliveryStatus,
  Actor
> &
  DeliveryCauses<DeliveryTaken, DeliveryColumns>;
type Earning = RowEarning<DeliveryTaken>;

const FAILED = ['arrived', 'waited', 'reason', 'photo'] as const;
const BOTH = ['Bud', 'Scrub'] as const;

/** The reasons for which the order pays a wasted trip. */
const BUDS_REASONS: readonly (string | null)[] = ['nobody-home', 'nothing-there', 'no-access', 'not-laundry'];

const borneByOrder: Earning['borneBy'] = ({ delivery }) => delivery.paidBy ?? 'order';

/** A Duber who left at once because it was not safe has been there only if they had said so. */
const WASTED_TRIP: Earning = {
  kind: 'trip',
  borneBy: ({ delivery, reason }) => {
    if (!delivery.arrivedAt) return undefined;
    // Relayed laundry waits with an earlier Duber, and not at the Bud's.
    const isAtBuds = delivery.type === 'Bud_To_Scrub' && !isRelayed(delivery);
    return delivery.paidBy ?? (isAtBuds && BUDS_REASONS.includes(reason) ? 'order' : 'platform');
  },
  provenBy: 'failure',
};
/** The party that ends the delivery pays for the way so far. A Duber who kept the laundry all the time is paid no trip. */
const ENDED_TRIP: Earning = {
  kind: 'trip',
  borneBy: ({ delivery, cause }) => {
    if (isRelayed(delivery) && delivery.carrierId === delivery.duberId) return undefined;
    return delivery.paidBy ?? (cause === 'bud' ? 'order' : cause);
  },
  provenBy: 'on-the-way',
};
const PART_OF_TRIP: Earning = {
  kind: 'relay',
  borneBy: ({ delivery, place }) => place && (delivery.paidBy ?? 'order'),
  cents: ({ delivery, place }) => (place ? splitTripPrice(delivery, place).cents : 0),
};

/** The rest of the way, from the place where the Duber stopped. */
function restOfWay({ delivery, place }: DeliveryTaken): Partial<DeliveryColumns> {
  if (!place) return {};
  const { restCents, restM } = splitTripPrice(delivery, place);
  return { pickup: place, price: restCents, distanceM: restM };
}

const FOUND: DeliveryNotice = { kind: 'failed-drop', to: BOTH, onlyAfterLoss: true };

const NO_WINDOW = { dueFrom: null, dueUntil: null } as const;
/** A delivery whose window has ended goes on as soon as possible. */
const keepWindow = ({ delivery: { dueUntil }, at }: DeliveryTaken): typeof NO_WINDOW | Record<never, never> =>
  dueUntil !== null && dueUntil <= at ? NO_WINDOW : {};

const leaves = (taken: DeliveryTaken) => ({
  ...{ duberId: null, hasLaundry: false },
  ...{ leftBy: taken.delivery.duberId, leftAt: taken.at },
  ...keepWindow(taken),
});
const DROPPED = { to: 'Pending', startsOver: true, sets: leaves, offers: true } as const;
const TAKEN_FROM_DUBER = { notifies: { kind: 'dropped', to: ['sender', 'duber', 'holder'] } } as const;

/** The laundry is where it should go: the Duber is paid. */
const ARRIVED = {
  to: 'Delivered',
  sets: ({ at }: DeliveryTaken) => ({ hasLaundry: false, deliveredAt: at }),
  handsOver: 'recipient',
  pays: { kind: 'leg', borneBy: borneByOrder },
  notifies: { kind: 'delivered', to: BOTH },
  arrives: true,
} as const satisfies Omit<DeliveryRow, 'action' | 'from' | 'by'>;

/** The laundry comes back to the sender: the Duber is paid for the way. */
const BROUGHT_BACK = {
  action: 'brought-back',
  from: 'Way_Back',
  to: 'Returned',
  sets: ({ at }: DeliveryTaken) => ({ hasLaundry: false, carrierId: null, stoppedAt: at }),
  handsOver: 'sender',
  // Paid the whole price: most of the way was driven.
  pays: { kind: 'return', borneBy: borneByOrder, provenBy: 'failure-before' },
  notifies: { kind: 'failed-drop', to: BOTH },
} as const satisfies Omit<DeliveryRow, 'by'>;

const reOffersBy = <const By extends Actor, const N extends Need>(by: By, need: N) => {
  const row = { action: 're-offer', to: 'Pending', by, startsOver: true, offers: true } as const;
  const free = { duberId: null, hasLaundry: false, leftBy: null } as const;
  // Laundry that was brought back starts at its first pickup again, for the whole way.
  const startAgain = (taken: DeliveryTaken) => ({
    ...{ ...free, ...keepWindow(taken), ...taken.delivery.wholeWay },
    pickup: taken.delivery.origin,
  });
  return [
    {
      ...row,
      from: 'Failed',
      needs: ['laundry-not-on-board', need],
      sets: (taken: DeliveryTaken) => ({ ...free, ...keepWindow(taken) }),
    },
    { ...row, from: 'Returned', needs: [need], sets: startAgain },
  ] as const;
};

const correctionsBy = <const By extends Actor, const N extends Need, const D extends readonly Need[]>(
  by: By,
  need: N,
  afterDelivery: D,
) => {
  const row = {
    action: 'correct',
    by,
    startsOver: true,
    closesCase: true,
    undoes: 'earnings',
    unsays: ['failed-pickup', 'failed-drop'],
  } as const;
  const toPickup = { ...row, to: 'Way_To_Pick' } as const;
  const toDrop = { ...row, to: 'Way_To_Drop' } as const;
  return [
    {
      ...toPickup,
      from: 'Collected',
      needs: [need],
      sets: () => ({ hasLaundry: false }),
      takesBack: 'handover-of-attempt',
    },
    {
      ...toDrop,
      from: 'Delivered',
      needs: [...afterDelivery, need],
      sets: () => ({ hasLaundry: true, deliveredAt: null }),
      takesBack: 'handover',
    },
    { ...toPickup, from: 'Failed', needs: ['laundry-not-on-board', need] },
    { ...toDrop, from: 'Failed', needs: ['laundry-on-board', 'not-lost', need] },
  ] as const;
};

const LOST = {
  action: 'report-lost',
  to: 'Failed',
  startsOver: true,
  sets: ({ at }) => ({ lostAt: at }),
  opens: { case: 'lost', about: 'Duber' },
  holds: 'lost',
} as const satisfies Omit<DeliveryRow, 'by' | 'from'>;
const LOST_BY_OPERATOR = {
  ...LOST,
  by: 'Operator',
  notifies: { kind: 'failed-drop', to: [...BOTH, 'duber'] },
} as const satisfies Omit<DeliveryRow, 'from'>;

const CALL_OFF = {
  action: 'call-off',
  to: 'Called_Off',
  by: 'Operator',
  settles: true,
  sets: ({ delivery, at }: DeliveryTaken) => ({
    ...{ hasLaundry: false, stoppedAt: at, lostAt: delivery.lostAt },
    pickup: delivery.status === 'Returned' ? delivery.origin : delivery.pickup,
  }),
  notifies: { kind: 'called-off', to: [...BOTH, 'duber', 'holder'] },
} as const satisfies Omit<DeliveryRow, 'from'>;
/** The order's own notice informs its people. */
const CALL_OFF_BY_SYSTEM = {
  ...CALL_OFF,
  by: 'System',
  notifies: { kind: 'called-off', to: ['duber', 'holder'] },
} as const satisfies Omit<DeliveryRow, 'from'>;

/**
 * The life of a delivery. An action may have several rows: the first whose status and needs fit is taken. The refusal is the first
 * missing need of the row that comes closest.
 */
export const DELIVERY_ROWS = [
  {
    action: 'accept-delivery',
    from: 'Pending',
    to: 'Accepted',
    by: 'Duber',
    needs: ['left-others-first', 'not-busy', 'room-ahead', 'no-restriction'],
    sets: (taken) => ({ duberId: taken.actorId, ...keepWindow(taken) }),
    changesPins: true,
  },
  ...fromEach(BEFORE_PICKUP, {
    action: 'drop-delivery',
    by: 'Duber',
    ...DROPPED,
    needs: ['reason'],
    // A Duber who still has the laundry waits for the next one.
    notifies: { kind: 'dropped', to: ['sender', 'atPickup'] },
  }),
  ...fromEach(BEFORE_PICKUP, {
    action: 'take-off',
    by: 'Operator',
    ...DROPPED,
    needs: ['reason'],
    ...TAKEN_FROM_DUBER,
  }),
  // When it is due and the Duber was heard of since, its time starts again from then.
  ...fromEach(BEFORE_PICKUP, {
    action: 'silent',
    by: 'System',
    after: SILENT_DUBER_MS,
    ...DROPPED,
    needs: ['silence-counts', 'no-sign'],
    ...TAKEN_FROM_DUBER,
  }),
  // The window of the order has moved. The Duber may not have time then, and can accept the delivery again at once.
  {
    action: 'time-moved',
    from: 'Accepted',
    to: 'Pending',
    by: 'System',
    startsOver: true,
    needs: ['not-relayed'],
    sets: () => ({ duberId: null, hasLaundry: false, leftBy: null }),
    offers: true,
    notifies: { kind: 'dropped', to: ['duber'] },
  },
  { action: 'way-to-pickup', from: 'Accepted', to: 'Way_To_Pick', by: 'Duber', needs: ['own', 'not-busy'] },
  {
    action: 'arrived-at-pickup',
    from: 'Way_To_Pick',
    to: 'Way_To_Pick',
    by: 'Duber',
    needs: ['at-the-place', 'not-said-before'],
    notifies: { kind: 'arrived', to: ['atPickup'] },
  },
  {
    action: 'pickup-failed',
    from: 'Way_To_Pick',
    to: 'Failed',
    by: 'Duber',
    needs: ['not-carried-by-them', ...FAILED],
    sets: ({ at }) => ({ stoppedAt: at }),
    opens: { case: 'failed-pickup' },
    pays: WASTED_TRIP,
    notifies: { kind: 'failed-pickup', to: BOTH },
  },
  {
    action: 'collected',
    from: 'Way_To_Pick',
    to: 'Collected',
    by: 'Duber',
    needs: ['own', 'proven'],
    sets: () => ({ hasLaundry: true }),
    handsOver: 'duber',
  },
  { action: 'way-to-drop', from: 'Collected', to: 'Way_To_Drop', by: 'Duber', needs: ['own'] },
  {
    action: 'arrived-at-drop',
    from: 'Way_To_Drop',
    to: 'Way_To_Drop',
    by: 'Duber',
    needs: ['at-the-place', 'not-said-before'],
    notifies: { kind: 'arrived', to: ['recipient'] },
  },
  { action: 'delivered', from: 'Way_To_Drop', by: 'Duber', needs: ['own', 'proven'], ...ARRIVED },
  {
    action: 'drop-failed',
    from: 'Way_To_Drop',
    to: 'Failed',
    by: 'Duber',
    needs: ['not-taken', ...FAILED],
    opens: { case: 'failed-drop' },
    notifies: { kind: 'failed-drop', to: BOTH },
  },
  {
    action: 'try-again',
    from: 'Failed',
    to: 'Way_To_Drop',
    by: 'Duber',
    startsOver: true,
    needs: ['laundry-on-board', 'same-day'],
    notifies: FOUND,
  },
  {
    action: 'bring-back',
    from: 'Failed',
    to: 'Way_Back',
    by: 'Duber',
    needs: ['laundry-on-board'],
    notifies: FOUND,
  },
  {
    action: 'bring-back',
    from: 'Failed',
    to: 'Way_Back',
    by: 'Operator',
    needs: ['laundry-on-board', 'reason'],
    notifies: FOUND,
  },
  { ...BROUGHT_BACK, by: 'Duber', needs: ['proven'] },
  // Operators ask the person who has the laundry.
  { ...BROUGHT_BACK, by: 'Operator', needs: ['reason'] },
  // The phone of the Duber, or of the person at the door, does not work.
  ...fromEach(GOING_TO_DROP, { action: 'mark-delivered', by: 'Operator', needs: ['reason'], ...ARRIVED }),
  ...reOffersBy('Bud', 'first-re-offer'),
  ...reOffersBy('Operator', 'reason'),
  // The Duber cannot go on, and keeps the laundry until the next one collects it.
  ...fromEach(GOING_TO_DROP, {
    action: 'relay',
    by: 'Operator',
    ...DROPPED,
    needs: ['reason', 'place'],
    sets: (taken: DeliveryTaken) => ({
      ...leaves(taken),
      ...NO_WINDOW,
      carrierId: taken.delivery.duberId,
      ...restOfWay(taken),
    }),
    pays: PART_OF_TRIP,
    ...TAKEN_FROM_DUBER,
  }),
  ...fromEach(['Pending', 'Accepted'], { ...CALL_OFF, needs: ['reason', 'words-about-laundry'] }),
  { ...CALL_OFF, from: 'Way_To_Pick', needs: ['reason', 'words-about-laundry'], pays: ENDED_TRIP },
  { ...CALL_OFF, from: 'Failed', needs: ['laundry-not-on-board', 'reason', 'words-about-laundry'] },
  { ...CALL_OFF, from: 'Failed', needs: ['lost', 'reason'] },
  { ...CALL_OFF, from: 'Returned', needs: ['reason'] },
  ...fromEach(['Pending', 'Accepted'], { ...CALL_OFF_BY_SYSTEM, needs: ['not-relayed'] }),
  { ...CALL_OFF_BY_SYSTEM, from: 'Way_To_Pick', needs: ['not-relayed'], pays: ENDED_TRIP },
  { ...CALL_OFF_BY_SYSTEM, from: 'Failed', needs: ['laundry-not-on-board', 'not-relayed'] },
  { ...CALL_OFF_BY_SYSTEM, from: 'Failed', needs: ['lost'] },
  { ...CALL_OFF_BY_SYSTEM, from: 'Returned' },
  ...correctionsBy('Duber', 'can-be-undone', ['not-confirmed']),
  ...correctionsBy('Operator', 'reason', []),
  ...fromEach(WITH_LAUNDRY, {
    ...LOST,
    by: 'Duber',
    needs: ['not-taken', 'words'],
    notifies: { kind: 'failed-drop', to: BOTH },
  }),
  ...fromEach(WITH_LAUNDRY, { ...LOST_BY_OPERATOR, needs: ['reason'] }),
  { ...LOST_BY_OPERATOR, from: 'Failed', needs: ['laundry-on-board', 'not-lost', 'reason'] },
] as const satisfies readonly DeliveryRow[];

type Rows = (typeof DELIVERY_ROWS)[number];
type Planned = Extract<Rows, { action: DeliveryAction }>;
const isPlanned = (row: Rows): row is Planned => isPlannedAction(row.action);
export const isPlannedAction = (action: string): action is DeliveryAction =>
  (DELIVERY_ACTIONS as readonly string[]).includes(action);

/** The planned rows, and those for what does not go as planned. */
export const DELIVERY_FLOW = DELIVERY_ROWS.filter(isPlanned);
export const DELIVERY_EXCEPTIONS = DELIVERY_ROWS.filter((row): row is Exclude<Rows, Planned> => !isPlanned(row));

/** The statuses that only unplanned steps lead to. */
export const UNPLANNED_STATUSES = DELIVERY_STATUSES.filter(
  (status) => status !== 'Pending' && DELIVERY_FLOW.every(({ to }) => to !== status),
);

/** The case that a step opens, if any. */
export const caseOfStep = (action: string | null): StepCase | undefined =>
  (DELIVERY_ROWS as readonly DeliveryRow[]).find((row) => row.action === action && row.opens)?.opens?.case;

/**
 * After these steps an earlier "arrived" no longer counts. Taking a step back is not one of them: it starts a new attempt, but
 * the Duber has been at the door.
 */
export const ENDS_ARRIVAL: readonly string[] = [
  ...new Set(DELIVERY_ROWS.flatMap((row) => ('startsOver' in row && row.action !== 'correct' ? row.action : []))),
];

/** The rows of people, which are calls, those of operators, and those of the server. */
export const DELIVERY_CALL_ROWS = rowsOfPeople(DELIVERY_FLOW);
export const DELIVERY_EXCEPTION_ROWS = rowsOfPeople(DELIVERY_EXCEPTIONS);
export const DELIVERY_TOWN_ROWS = rowsOfOperators(DELIVERY_EXCEPTIONS);
export const DELIVERY_TIMER_ROWS = rowsOfTimers(DELIVERY_EXCEPTIONS);

/** Whether the time of the row `silent` begins with a row. */
export const startsSilence = ({ from, to }: Pick<DeliveryRow, 'from' | 'to'>): boolean =>
  from !== to && DELIVERY_TIMER_ROWS.some((row) => row.from === to);

/** The statuses at which a Duber hands the laundry to the recipient, or back to the sender. */
const handsOverAt = (to: 'recipient' | 'sender'): readonly DeliveryStatus[] =>
  DELIVERY_ROWS.flatMap((row) => (row.by === 'Duber' && 'handsOver' in row && row.handsOver === to ? row.from : []));
export const HANDS_OVER_AT = { recipient: handsOverAt('recipient'), sender: handsOverAt('sender') };

/** Whether the next hand-over of a delivery is to the person in this role: there, or back to them. */
export const isOnTheWayTo = (
  role: 'Bud' | 'Scrub',
  { deliveryType, status }: { readonly deliveryType: DeliveryType; readonly status: DeliveryStatus },
): boolean =>
  HANDS_OVER_AT[(deliveryType === 'Bud_To_Scrub') === (role === 'Scrub') ? 'recipient' : 'sender'].includes(status);
