import type { Need } from './needs.ts';
import type { OrderStatus, StatusGroup } from './orders.ts';
import { type Actor, fromEach, rowsOfOperators, rowsOfPeople, rowsOfTimers, type Transition } from './workflow.ts';

export const DELIVERY_STATUSES = [
  'Pending',
  'Accepted',
  'Way_To_Pick',
  'Collected',
  'Way_To_Drop',
  'Delivered',
  'Failed',
  'Way_Back',
  'Returned',
  'Called_Off',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DELIVERY_TYPES = ['Bud_To_Scrub', 'Scrub_To_Bud'] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** The normal steps of a Duber. Each is a call without a body. */
export type DeliveryAction = 'accept-delivery' | 'way-to-pickup' | 'collected' | 'way-to-drop' | 'delivered';

/** The exceptions that people take. Each is a call whose body has the reason. */
export type DeliveryExceptionAction =
  | 'drop-delivery'
  | 'arrived-at-pickup'
  | 'arrived-at-drop'
  | 'pickup-failed'
  | 'drop-failed'
  | 'try-again'
  | 'bring-back'
  | 'brought-back'
  | 're-offer'
  | 'correct'
  | 'report-lost';

/** The exceptions of operators and the server. */
export type DeliveryTownAction = 'take-off' | 'silent' | 'relay' | 'call-off' | 'mark-delivered';

/** What a step in the history of a delivery records. */
export type DeliveryStepAction = 'open-delivery' | DeliveryAction | DeliveryExceptionAction | DeliveryTownAction;

// spec 4.2
export const DELIVERY_FLOW = [
  { action: 'accept-delivery', from: 'Pending', to: 'Accepted', by: 'Duber' },
  { action: 'way-to-pickup', from: 'Accepted', to: 'Way_To_Pick', by: 'Duber' },
  { action: 'collected', from: 'Way_To_Pick', to: 'Collected', by: 'Duber' },
  { action: 'way-to-drop', from: 'Collected', to: 'Way_To_Drop', by: 'Duber' },
  { action: 'delivered', from: 'Way_To_Drop', to: 'Delivered', by: 'Duber' },
] as const satisfies readonly Transition<DeliveryAction, DeliveryStatus, Actor>[];

export const DELIVERY_CALL_ROWS = rowsOfPeople(DELIVERY_FLOW);

/** A Duber who gave a delivery back, or lost it, cannot accept it again for this long. */
export const LET_OTHERS_FIRST_MS = 30 * 60_000;

/** A Duber without a sign for this long loses the delivery, where the policy `silence` is `careful`. */
export const SILENT_DUBER_MS = 20 * 60_000;

type ExceptionRow = Transition<DeliveryExceptionAction | DeliveryTownAction, DeliveryStatus, Actor>;
const FAILED = ['arrived', 'waited', 'reason', 'photo'] as const;

/** The statuses of a Duber who has not collected the laundry yet. */
export const BEFORE_PICKUP = ['Accepted', 'Way_To_Pick'] as const;
const NOT_COLLECTED = ['Pending', ...BEFORE_PICKUP] as const;
/** The statuses of a Duber who brings the laundry to where it should go. */
export const GOING_TO_DROP = ['Collected', 'Way_To_Drop'] as const;
const WITH_LAUNDRY = [...GOING_TO_DROP, 'Way_Back'] as const;

const reOffersBy = <const By extends Actor, const N extends Need>(by: By, need: N) => {
  const row = { action: 're-offer', to: 'Pending', by, startsOver: true } as const;
  return [
    { ...row, from: 'Failed', needs: ['laundry-not-on-board', need] },
    { ...row, from: 'Returned', needs: [need] },
  ] as const;
};
const correctionsBy = <const By extends Actor, const N extends Need, const D extends readonly Need[]>(
  by: By,
  need: N,
  afterDelivery: D,
) => {
  const toPickup = { action: 'correct', to: 'Way_To_Pick', by, startsOver: true } as const;
  const toDrop = { action: 'correct', to: 'Way_To_Drop', by, startsOver: true } as const;
  return [
    { ...toPickup, from: 'Collected', needs: [need] },
    { ...toDrop, from: 'Delivered', needs: [...afterDelivery, need] },
    { ...toPickup, from: 'Failed', needs: ['laundry-not-on-board', need] },
    { ...toDrop, from: 'Failed', needs: ['laundry-on-board', 'not-lost', need] },
  ] as const;
};
const LOST_BY_OPERATOR = { action: 'report-lost', to: 'Failed', by: 'Operator', startsOver: true } as const;
const CALL_OFF = { action: 'call-off', to: 'Called_Off', by: 'Operator' } as const;
const CALL_OFF_BY_SYSTEM = { ...CALL_OFF, by: 'System' } as const;

/** The exceptions of a delivery. An action may have several rows: the first whose status and needs fit is taken. */
export const DELIVERY_EXCEPTIONS = [
  ...fromEach(BEFORE_PICKUP, {
    action: 'drop-delivery',
    to: 'Pending',
    by: 'Duber',
    needs: ['reason'],
    startsOver: true,
  }),
  ...fromEach(BEFORE_PICKUP, {
    action: 'take-off',
    to: 'Pending',
    by: 'Operator',
    needs: ['reason'],
    startsOver: true,
  }),
  ...fromEach(BEFORE_PICKUP, {
    action: 'silent',
    to: 'Pending',
    by: 'System',
    after: SILENT_DUBER_MS,
    startsOver: true,
  }),
  { action: 'arrived-at-pickup', from: 'Way_To_Pick', to: 'Way_To_Pick', by: 'Duber', needs: ['at-the-place'] },
  {
    action: 'pickup-failed',
    from: 'Way_To_Pick',
    to: 'Failed',
    by: 'Duber',
    needs: ['not-carried-by-them', ...FAILED],
  },
  { action: 'arrived-at-drop', from: 'Way_To_Drop', to: 'Way_To_Drop', by: 'Duber', needs: ['at-the-place'] },
  { action: 'drop-failed', from: 'Way_To_Drop', to: 'Failed', by: 'Duber', needs: ['not-taken', ...FAILED] },
  {
    action: 'try-again',
    from: 'Failed',
    to: 'Way_To_Drop',
    by: 'Duber',
    needs: ['laundry-on-board', 'same-day'],
    startsOver: true,
  },
  { action: 'bring-back', from: 'Failed', to: 'Way_Back', by: 'Duber', needs: ['laundry-on-board'] },
  { action: 'bring-back', from: 'Failed', to: 'Way_Back', by: 'Operator', needs: ['laundry-on-board', 'reason'] },
  { action: 'brought-back', from: 'Way_Back', to: 'Returned', by: 'Duber' },
  { action: 'brought-back', from: 'Way_Back', to: 'Returned', by: 'Operator', needs: ['reason'] },
  // The phone of the Duber, or of the person at the door, does not work.
  ...fromEach(GOING_TO_DROP, { action: 'mark-delivered', to: 'Delivered', by: 'Operator', needs: ['reason'] }),
  ...reOffersBy('Bud', 'first-re-offer'),
  ...reOffersBy('Operator', 'reason'),
  ...fromEach(GOING_TO_DROP, { action: 'relay', to: 'Pending', by: 'Operator', needs: ['reason'], startsOver: true }),
  ...fromEach(NOT_COLLECTED, { ...CALL_OFF, needs: ['reason'] }),
  { ...CALL_OFF, from: 'Failed', needs: ['laundry-not-on-board', 'reason'] },
  { ...CALL_OFF, from: 'Failed', needs: ['lost', 'reason'] },
  { ...CALL_OFF, from: 'Returned', needs: ['reason'] },
  ...fromEach(NOT_COLLECTED, { ...CALL_OFF_BY_SYSTEM, needs: ['not-relayed'] }),
  { ...CALL_OFF_BY_SYSTEM, from: 'Failed', needs: ['laundry-not-on-board', 'not-relayed'] },
  { ...CALL_OFF_BY_SYSTEM, from: 'Failed', needs: ['lost'] },
  { ...CALL_OFF_BY_SYSTEM, from: 'Returned' },
  ...correctionsBy('Duber', 'can-be-undone', ['not-confirmed']),
  ...correctionsBy('Operator', 'reason', []),
  ...fromEach(WITH_LAUNDRY, {
    action: 'report-lost',
    to: 'Failed',
    by: 'Duber',
    needs: ['not-taken', 'words'],
    startsOver: true,
  }),
  ...fromEach(WITH_LAUNDRY, { ...LOST_BY_OPERATOR, needs: ['reason'] }),
  { ...LOST_BY_OPERATOR, from: 'Failed', needs: ['laundry-on-board', 'not-lost', 'reason'] },
] as const satisfies readonly ExceptionRow[];

/**
 * After these steps an earlier "arrived" no longer counts. Taking a step back is not one of them: it starts a new attempt, but
 * the Duber has been at the door.
 */
export const ENDS_ARRIVAL: readonly string[] = [
  ...new Set(DELIVERY_EXCEPTIONS.flatMap((row) => ('startsOver' in row && row.action !== 'correct' ? row.action : []))),
];

/** The rows of people, which are calls, those of operators, and those of the server. */
export const DELIVERY_EXCEPTION_ROWS = rowsOfPeople(DELIVERY_EXCEPTIONS);
export const DELIVERY_TOWN_ROWS = rowsOfOperators(DELIVERY_EXCEPTIONS);
export const DELIVERY_TIMER_ROWS = rowsOfTimers(DELIVERY_EXCEPTIONS);

// spec 4.2
export const DELIVERY_GROUPS: Record<DeliveryStatus, StatusGroup> = {
  Pending: 'pending',
  Accepted: 'progress',
  Way_To_Pick: 'progress',
  Collected: 'progress',
  Way_To_Drop: 'progress',
  Delivered: 'completed',
  Failed: 'progress',
  Way_Back: 'progress',
  Returned: 'progress',
  Called_Off: 'cancelled',
};

/** The statuses at which a Duber is busy; besides these, a failed delivery whose laundry is still on board. */
export const ACTIVE_STATUSES: readonly DeliveryStatus[] = [
  'Accepted',
  'Way_To_Pick',
  'Collected',
  'Way_To_Drop',
  'Way_Back',
];

/** The statuses at which the laundry is with the Duber; besides these, at Failed it may be. */
export const LAUNDRY_STATUSES: readonly DeliveryStatus[] = WITH_LAUNDRY;

/** Whether a Duber is busy with the delivery. A Duber has one active delivery at most. */
export function isActiveDelivery(delivery: { readonly status: DeliveryStatus; readonly hasLaundry: boolean }): boolean {
  return ACTIVE_STATUSES.includes(delivery.status) || (delivery.status === 'Failed' && delivery.hasLaundry);
}

/** The statuses after which a delivery goes on only when its order is re-cleaned, or a mistake is corrected. */
export const ENDED_STATUSES = ['Delivered', 'Called_Off'] as const satisfies readonly DeliveryStatus[];

/** The statuses at which its Duber has finished with a delivery. */
export const FINISHED_STATUSES: readonly DeliveryStatus[] = [...ENDED_STATUSES, 'Returned'];

/** The delivery that an order needs at a new status, if any: to the Scrub when accepted, back to the Bud when completed. */
export function legFor(
  status: OrderStatus,
  order: { readonly selfDelivery: boolean; readonly selfPickup: boolean },
): DeliveryType | undefined {
  if (status === 'Accepted' && !order.selfDelivery) return 'Bud_To_Scrub';
  if (status === 'Completed' && !order.selfPickup) return 'Scrub_To_Bud';
  return undefined;
}

/** How long after the delivery a Duber sees the e-mail and phone of its Bud and Scrub. server/visibility/ applies it. */
export const CONTACTS_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
