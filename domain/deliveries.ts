import type { StatusGroup } from './orders.ts';

/** The statuses of a Duber who has not collected the laundry yet. */
export const BEFORE_PICKUP = ['Accepted', 'Way_To_Pick'] as const;
/** The statuses of a Duber who brings the laundry to where it should go. */
export const GOING_TO_DROP = ['Collected', 'Way_To_Drop'] as const;
/** The statuses at which the laundry is with the Duber; besides these, at Failed it may be. */
export const WITH_LAUNDRY = [...GOING_TO_DROP, 'Way_Back'] as const;
/** The statuses after which a delivery goes on only when its order is re-cleaned, or a mistake is corrected. */
export const ENDED_STATUSES = ['Delivered', 'Called_Off'] as const;

/** A new stage is a word in one of the lists above, its action below, and its row in process/delivery.ts. */
export const DELIVERY_STATUSES = [
  'Pending',
  ...BEFORE_PICKUP,
  ...GOING_TO_DROP,
  'Delivered',
  'Failed',
  'Way_Back',
  'Returned',
  'Called_Off',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The statuses at which a Duber is busy; besides these, a failed delivery whose laundry is still on board. */
export const ACTIVE_STATUSES: readonly DeliveryStatus[] = [...BEFORE_PICKUP, ...WITH_LAUNDRY];
/** The statuses at which an earlier Duber, who could not go on, may still have the laundry. */
export const WITHOUT_NEXT_DUBER: readonly DeliveryStatus[] = ['Pending', ...BEFORE_PICKUP, 'Failed'];
/** The statuses at which its Duber has finished with a delivery. */
export const FINISHED_STATUSES: readonly DeliveryStatus[] = [...ENDED_STATUSES, 'Returned'];

const isOneOf =
  (statuses: readonly DeliveryStatus[]) =>
  (status: DeliveryStatus): boolean =>
    statuses.includes(status);
export const isBeforePickup = isOneOf(BEFORE_PICKUP);
export const isGoingToDrop = isOneOf(GOING_TO_DROP);
export const isWithLaundry = isOneOf(WITH_LAUNDRY);
export const hasEnded = isOneOf(ENDED_STATUSES);

export const DELIVERY_TYPES = ['Bud_To_Scrub', 'Scrub_To_Bud'] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** The normal steps of a Duber (spec 4.2). Each is a call without a body. */
export const DELIVERY_ACTIONS = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
export type DeliveryAction = (typeof DELIVERY_ACTIONS)[number];

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
export type DeliveryTownAction = 'take-off' | 'silent' | 'time-moved' | 'relay' | 'call-off' | 'mark-delivered';

/** What a step in the history of a delivery records. */
export type DeliveryStepAction = 'open-delivery' | DeliveryAction | DeliveryExceptionAction | DeliveryTownAction;

/** A Duber who gave a delivery back, or lost it, cannot accept it again for this long. */
export const LET_OTHERS_FIRST_MS = 30 * 60_000;

// spec 4.2
export const DELIVERY_GROUPS = {
  ...Object.fromEntries(DELIVERY_STATUSES.map((status) => [status, 'progress'])),
  ...{ Pending: 'pending', Delivered: 'completed', Called_Off: 'cancelled' },
} as Readonly<Record<DeliveryStatus, StatusGroup>>;

type OfDuber = { readonly status: DeliveryStatus; readonly hasLaundry: boolean };

/** Whether a delivery is its Duber's now. */
export const isActiveDelivery = ({ status, hasLaundry }: OfDuber): boolean =>
  ACTIVE_STATUSES.includes(status) || (status === 'Failed' && hasLaundry);

/** Whether its Duber has accepted a delivery ahead, for its window, and has not set off. */
export const isAhead = ({ status, window }: { readonly status: DeliveryStatus; readonly window?: unknown }): boolean =>
  status === 'Accepted' && window !== undefined;

/** Whether its Duber is busy with a delivery. A Duber has one delivery under way at most. */
export const isUnderWay = (delivery: OfDuber & { readonly window?: unknown }): boolean =>
  isActiveDelivery(delivery) && !isAhead(delivery);

/** A Duber accepts at most so many deliveries ahead. */
export const MAX_AHEAD = 6;
/** At most so many windows of these deliveries overlap: a Duber drives them one after the other. */
export const MAX_AHEAD_AT_ONCE = 3;

/** How long after the delivery a Duber sees the e-mail and phone of its Bud and Scrub. server/visibility/ applies it. */
export const CONTACTS_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
