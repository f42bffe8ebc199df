import type { OrderStatus, StatusGroup } from './orders.ts';
import { type Actor, rowsOfPeople, rowsOfTimers, type Transition } from './workflow.ts';

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

/** What a Duber does to a delivery on a good day. Each is a call without a body. */
export type DeliveryAction = 'accept-delivery' | 'way-to-pickup' | 'collected' | 'way-to-drop' | 'delivered';

/** What people do when a delivery does not go as planned. Each is a call whose body says why. */
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

/** What only operators and the server do. */
export type DeliveryTownAction = 'take-off' | 'silent' | 'relay' | 'call-off';

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

/** A Duber who gave a delivery back, or lost it, lets others come first for this long. */
export const LET_OTHERS_FIRST_MS = 30 * 60_000;

/** A Duber who has said nothing for this long loses the delivery to the next one, where the town's policy says so. */
export const SILENT_DUBER_MS = 20 * 60_000;

type ExceptionRow = Transition<DeliveryExceptionAction | DeliveryTownAction, DeliveryStatus, Actor>;
const FAILED = ['arrived', 'waited', 'reason', 'photo'] as const;

/** When a delivery does not go as planned. An action may have several rows: the first whose status and needs fit is taken. */
export const DELIVERY_EXCEPTIONS = [
  { action: 'drop-delivery', from: 'Accepted', to: 'Pending', by: 'Duber', needs: ['reason'], startsOver: true },
  { action: 'drop-delivery', from: 'Way_To_Pick', to: 'Pending', by: 'Duber', needs: ['reason'], startsOver: true },
  { action: 'take-off', from: 'Accepted', to: 'Pending', by: 'Operator', needs: ['reason'], startsOver: true },
  { action: 'take-off', from: 'Way_To_Pick', to: 'Pending', by: 'Operator', needs: ['reason'], startsOver: true },
  { action: 'silent', from: 'Accepted', to: 'Pending', by: 'System', after: SILENT_DUBER_MS, startsOver: true },
  { action: 'silent', from: 'Way_To_Pick', to: 'Pending', by: 'System', after: SILENT_DUBER_MS, startsOver: true },
  { action: 'arrived-at-pickup', from: 'Way_To_Pick', to: 'Way_To_Pick', by: 'Duber', needs: ['at-the-place'] },
  { action: 'pickup-failed', from: 'Way_To_Pick', to: 'Failed', by: 'Duber', needs: FAILED },
  { action: 'arrived-at-drop', from: 'Way_To_Drop', to: 'Way_To_Drop', by: 'Duber', needs: ['at-the-place'] },
  { action: 'drop-failed', from: 'Way_To_Drop', to: 'Failed', by: 'Duber', needs: FAILED },
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
  {
    action: 're-offer',
    from: 'Failed',
    to: 'Pending',
    by: 'Bud',
    needs: ['laundry-not-on-board', 'first-re-offer'],
    startsOver: true,
  },
  { action: 're-offer', from: 'Returned', to: 'Pending', by: 'Bud', needs: ['first-re-offer'], startsOver: true },
  {
    action: 're-offer',
    from: 'Failed',
    to: 'Pending',
    by: 'Operator',
    needs: ['laundry-not-on-board', 'reason'],
    startsOver: true,
  },
  { action: 're-offer', from: 'Returned', to: 'Pending', by: 'Operator', needs: ['reason'], startsOver: true },
  { action: 'relay', from: 'Collected', to: 'Pending', by: 'Operator', needs: ['reason'], startsOver: true },
  { action: 'relay', from: 'Way_To_Drop', to: 'Pending', by: 'Operator', needs: ['reason'], startsOver: true },
  { action: 'call-off', from: 'Pending', to: 'Called_Off', by: 'Operator', needs: ['reason'] },
  { action: 'call-off', from: 'Accepted', to: 'Called_Off', by: 'Operator', needs: ['reason'] },
  { action: 'call-off', from: 'Way_To_Pick', to: 'Called_Off', by: 'Operator', needs: ['reason'] },
  {
    action: 'call-off',
    from: 'Failed',
    to: 'Called_Off',
    by: 'Operator',
    needs: ['laundry-not-on-board', 'reason'],
  },
  { action: 'call-off', from: 'Failed', to: 'Called_Off', by: 'Operator', needs: ['lost', 'reason'] },
  { action: 'call-off', from: 'Returned', to: 'Called_Off', by: 'Operator', needs: ['reason'] },
  { action: 'call-off', from: 'Pending', to: 'Called_Off', by: 'System', needs: ['not-relayed'] },
  { action: 'call-off', from: 'Accepted', to: 'Called_Off', by: 'System', needs: ['not-relayed'] },
  { action: 'call-off', from: 'Way_To_Pick', to: 'Called_Off', by: 'System', needs: ['not-relayed'] },
  {
    action: 'call-off',
    from: 'Failed',
    to: 'Called_Off',
    by: 'System',
    needs: ['laundry-not-on-board', 'not-relayed'],
  },
  { action: 'call-off', from: 'Failed', to: 'Called_Off', by: 'System', needs: ['lost'] },
  { action: 'call-off', from: 'Returned', to: 'Called_Off', by: 'System' },
  { action: 'correct', from: 'Collected', to: 'Way_To_Pick', by: 'Duber', needs: ['can-be-undone'], startsOver: true },
  { action: 'correct', from: 'Delivered', to: 'Way_To_Drop', by: 'Duber', needs: ['can-be-undone'], startsOver: true },
  {
    action: 'correct',
    from: 'Failed',
    to: 'Way_To_Pick',
    by: 'Duber',
    needs: ['laundry-not-on-board', 'can-be-undone'],
    startsOver: true,
  },
  {
    action: 'correct',
    from: 'Failed',
    to: 'Way_To_Drop',
    by: 'Duber',
    needs: ['laundry-on-board', 'not-lost', 'can-be-undone'],
    startsOver: true,
  },
  { action: 'correct', from: 'Collected', to: 'Way_To_Pick', by: 'Operator', needs: ['reason'], startsOver: true },
  { action: 'correct', from: 'Delivered', to: 'Way_To_Drop', by: 'Operator', needs: ['reason'], startsOver: true },
  {
    action: 'correct',
    from: 'Failed',
    to: 'Way_To_Pick',
    by: 'Operator',
    needs: ['laundry-not-on-board', 'reason'],
    startsOver: true,
  },
  {
    action: 'correct',
    from: 'Failed',
    to: 'Way_To_Drop',
    by: 'Operator',
    needs: ['laundry-on-board', 'not-lost', 'reason'],
    startsOver: true,
  },
  { action: 'report-lost', from: 'Collected', to: 'Failed', by: 'Duber', needs: ['words'], startsOver: true },
  { action: 'report-lost', from: 'Way_To_Drop', to: 'Failed', by: 'Duber', needs: ['words'], startsOver: true },
  { action: 'report-lost', from: 'Way_Back', to: 'Failed', by: 'Duber', needs: ['words'], startsOver: true },
] as const satisfies readonly ExceptionRow[];

/** The rows of people, which are calls, and those of the server. */
export const DELIVERY_EXCEPTION_ROWS = rowsOfPeople(DELIVERY_EXCEPTIONS);
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
export const LAUNDRY_STATUSES: readonly DeliveryStatus[] = ['Collected', 'Way_To_Drop', 'Way_Back'];

/** Whether a Duber is busy with the delivery. A Duber has one active delivery at most. */
export function isActiveDelivery(delivery: { readonly status: DeliveryStatus; readonly hasLaundry: boolean }): boolean {
  return ACTIVE_STATUSES.includes(delivery.status) || (delivery.status === 'Failed' && delivery.hasLaundry);
}

/** The statuses after which a delivery goes on only when its order is re-cleaned, or a mistake is corrected. */
export const ENDED_STATUSES = ['Delivered', 'Called_Off'] as const satisfies readonly DeliveryStatus[];

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
