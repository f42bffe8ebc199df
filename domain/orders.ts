import { toAsciiDigits } from './typed.ts';

export const ORDER_STATUSES = ['Requested', 'Accepted', 'In_Progress', 'Completed', 'Cancelled', 'Rejected'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The normal steps of people. Each is a call without a body. */
export type OrderAction = 'cancel-order' | 'accept-order' | 'reject-order' | 'start-order' | 'complete-order';
/** The exceptions that people take. Each is a call whose body has the reason. */
export type OrderExceptionAction =
  | 'cancel-accepted'
  | 'give-back'
  | 'choose-scrub'
  | 'move-window'
  | 'propose-window'
  | 'accept-window'
  | 'refuse-window';
/** The steps that the server takes after a while. */
export type OrderTimer = 'expire-request';
export type OrderExceptionTimer =
  | 'expire-given-back'
  | 'remind'
  | 'scrub-silent'
  | 'late'
  | 'window-unanswered'
  | 'promise-near'
  | 'promise-missed'
  | 'promise-overdue'
  | 'promise-settled'
  | 'close';
/** The steps of operators. */
export type OrderTownAction = 'cancel-by-operator' | 'reopen';
/** What people do when laundry is weighed, and what the server does when they do not. Its rows are in `weighing.ts`. */
export type WeighingAction = 'weigh' | 'pay' | 'keep' | 'send-back' | 'contest';
export type WeighingTimer = 'unanswered' | 'charge-estimate';
/** What a step in the history of an order records. */
export type OrderStepAction =
  | 'place-order'
  | OrderAction
  | OrderExceptionAction
  | OrderTimer
  | OrderExceptionTimer
  | OrderTownAction
  | WeighingAction
  | WeighingTimer;

/** A Requested order that the Scrub does not answer within this time is cancelled. */
export const REQUEST_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** An order that its Scrub gave back waits this long for another one. */
export const GIVEN_BACK_LIFETIME_MS = 4 * 60 * 60 * 1000;
/** A Scrub who has the laundry and has not started is reminded after this time. */
export const REMIND_AFTER_MS = 4 * 60 * 60 * 1000;
/** A Scrub who has the laundry and has not started after this time is a case for the town. */
export const SCRUB_SILENT_AFTER_MS = 8 * 60 * 60 * 1000;
/** The laundry is late when it is not done this long after the start. */
export const LATE_AFTER_MS = 48 * 60 * 60 * 1000;
/** Claims end this long after the last delivery. */
export const CLOSE_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/** The load sizes with their weight in pounds, the smallest first (spec 9). */
export const LOAD_POUNDS = {
  Small: { from: 1, to: 2 },
  Medium: { from: 3, to: 5 },
  Large: { from: 6, to: 8 },
} as const;
export type LoadSize = keyof typeof LOAD_POUNDS;
export const LOAD_SIZES = Object.keys(LOAD_POUNDS) as readonly LoadSize[];

/** Sizes that a town sells once its prices say how many pounds of each are charged. */
const LARGER_POUNDS = {
  XL: { from: 9, to: 15 },
  XXL: { from: 16, to: 25 },
  Family: { from: 26, to: 40 },
} as const;
export type LargerSize = keyof typeof LARGER_POUNDS;
export const LARGER_SIZES = Object.keys(LARGER_POUNDS) as readonly LargerSize[];

export const SIZE_POUNDS = { ...LOAD_POUNDS, ...LARGER_POUNDS };
export type OrderSize = keyof typeof SIZE_POUNDS;
export const ORDER_SIZES: readonly OrderSize[] = [...LOAD_SIZES, ...LARGER_SIZES];

export const isLargerSize = (size: OrderSize): size is LargerSize =>
  (LARGER_SIZES as readonly OrderSize[]).includes(size);
/** Whether the first size is for more laundry than the second. */
export const isHeavierSize = (size: OrderSize, than: OrderSize): boolean =>
  ORDER_SIZES.indexOf(size) > ORDER_SIZES.indexOf(than);

/** The size of a load that weighs this much. The largest size takes whatever is heavier. */
export function loadSizeOf(pounds: number): LoadSize {
  return LOAD_SIZES.reduce((chosen, size) => (pounds <= LOAD_POUNDS[chosen].to ? chosen : size));
}

/** About how many shirts weigh this much, at half a pound a shirt. */
export function countShirts(pounds: number): number {
  return Math.round(pounds * 2);
}

export type StatusGroup = 'pending' | 'progress' | 'completed' | 'cancelled';

// spec 4.1
export const ORDER_GROUPS: Record<OrderStatus, StatusGroup> = {
  Requested: 'pending',
  Accepted: 'progress',
  In_Progress: 'progress',
  Completed: 'completed',
  Cancelled: 'cancelled',
  Rejected: 'cancelled',
};

/** Whether the order has not ended. */
export function isOpenStatus(status: OrderStatus): boolean {
  return ORDER_GROUPS[status] === 'pending' || ORDER_GROUPS[status] === 'progress';
}

/** Who pays the deliveries of an order that is cleaned again. */
export const TRIP_PAYERS = ['platform', 'scrub'] as const;
export type TripPayer = (typeof TRIP_PAYERS)[number];

/** How laundry gets home whose order is cancelled while somebody else has it: a Duber brings it, its Bud fetches it, or it is lost. */
export const WAYS_HOME = ['bring', 'fetch', 'lost'] as const;
export type WayHome = (typeof WAYS_HOME)[number];
/** Who pays the Duber who brings it. A Bud pays with what is left of their fee for the way back, and the platform the rest. */
export const WAY_HOME_PAYERS = [...TRIP_PAYERS, 'bud'] as const;
export type WayHomePayer = (typeof WAY_HOME_PAYERS)[number];
/** The ways home that are possible: a Duber brings only what the Scrub has. None are needed while the Bud has it. */
export const waysHomeFor = (laundry: { readonly isLaundryAway: boolean; readonly isWithScrub: boolean }): WayHome[] =>
  WAYS_HOME.filter((way) => laundry.isLaundryAway && (way !== 'bring' || laundry.isWithScrub));

export const ORDER_NUMBER_PREFIX = 'R-';

/** An order's number as people read and say it: 'R-1042'. */
export function formatOrderNumber(number: number): string {
  return `${ORDER_NUMBER_PREFIX}${number}`;
}

/** The number in 'R-1042', 'r 1042' or '1042'; undefined in any other text. */
export function parseOrderNumber(text: string): number | undefined {
  const digits = /^(?:r[-\s]?)?(\d{1,15})$/i.exec(toAsciiDigits(text).trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
