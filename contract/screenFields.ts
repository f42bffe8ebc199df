import type { FieldPath } from './answerFields.ts';
import type { Delivery, NearbyDelivery } from './deliveries.ts';
import type { ListedOrder as Order } from './orders.ts';
import type { NearbyScrub } from './places.ts';

/**
 * What the screens show of big answers, and ask for as `fields`. The server has a prepared statement for each of these
 * sets, which writes nothing else (decision 063).
 */

const under = <P extends string, F extends string>(property: P, fields: readonly F[]) =>
  fields.map((field) => `${property}.${field}` as const);

/** A row of a Bud's latest orders on the dashboard, whose properties the spec lists. */
const LATEST_ORDER_FIELDS = [
  'id',
  'status',
  'loadSize',
  'price.totalPrice',
  'createdAt',
  'scrub.fullname',
] as const satisfies readonly FieldPath<Order>[];

/** What rows of lists have, and those of dashboards do not. */
const LISTED_FIELDS = ['number', 'times', 'selfDelivery', 'selfPickup'] as const satisfies readonly FieldPath<Order>[];
export type ListedField = (typeof LISTED_FIELDS)[number];

/** A row of a Bud's orders. */
export const BUD_ORDER_FIELDS = [...LATEST_ORDER_FIELDS, ...LISTED_FIELDS] as const;

/** A row of a Scrub's latest jobs on the dashboard. */
const LATEST_JOB_FIELDS = [
  'id',
  'status',
  'loadSize',
  'scrubEarning',
  'createdAt',
  'bud.fullname',
] as const satisfies readonly FieldPath<Order>[];

/** A row of a Scrub's jobs. */
export const SCRUB_JOB_FIELDS = [...LATEST_JOB_FIELDS, ...LISTED_FIELDS] as const;

/** For a list of which only the count is shown. */
export const COUNT_FIELDS = ['id'] as const;

/** When its Duber comes, and when the laundry is back at the latest. */
const DUE_FIELDS = ['window', 'promisedAt'] as const satisfies readonly FieldPath<Delivery>[];

/** A row of deliveries on a dashboard. */
export const DELIVERY_ROW_FIELDS = [
  'id',
  'status',
  'deliveryType',
  'price',
  'distanceInMeters',
  'createdAt',
  'bud.fullname',
  'scrub.fullname',
  ...DUE_FIELDS,
] as const satisfies readonly FieldPath<Delivery>[];

/** A row of the list of deliveries, with the link to its order. */
export const DELIVERY_LIST_FIELDS = [...DELIVERY_ROW_FIELDS, 'orderId'] as const;

/** Where a delivery begins and ends, in words and on a map. */
export const DELIVERY_ENDS_FIELDS = [
  'pickup',
  ...under('scrub.addresses', ['address', 'latitude', 'longitude']),
  ...under('order.budAddress', ['address', 'latitude', 'longitude']),
] as const satisfies readonly FieldPath<Delivery>[];

const ACTIVE_DELIVERY_FIELDS = [
  'id',
  'orderId',
  'status',
  'deliveryType',
  'price',
  'distanceInMeters',
  ...DUE_FIELDS,
  ...DELIVERY_ENDS_FIELDS,
] as const satisfies readonly FieldPath<Delivery>[];

/** The card of a pending delivery; with its order id it can be shown as the active one as soon as it is accepted. */
const OFFER_FIELDS = ['orderId', ...DELIVERY_ROW_FIELDS, ...DELIVERY_ENDS_FIELDS] as const;

/** How many pending deliveries a Duber reads before asking for all. */
export const FIRST_OFFERS = 10;

export const NEARBY_DELIVERY_FIELDS = [
  'distanceMeters',
  ...under('delivery', OFFER_FIELDS),
] as const satisfies readonly FieldPath<NearbyDelivery>[];

export const NEARBY_SCRUB_FIELDS = [
  'scrub',
  'distanceMeters',
  'address',
  'rating',
  'ratingCount',
  'free',
] as const satisfies readonly FieldPath<NearbyScrub>[];

/** The card of an order that is under way. */
export const LIVE_ORDER_FIELDS = [
  'id',
  'number',
  'status',
  'selfDelivery',
  'selfPickup',
  'round',
  'isHandedOver',
  'isScrubAway',
  ...(['situation', 'delay', 'isCleanedAgain', 'times'] as const),
  'price.loadPrice',
  'budAddress',
  'scrub.fullname',
  'scrub.addresses',
  'deliveries.id',
  'deliveries.status',
  ...under('deliveries', ['deliveryType', 'round', 'hasLaundry', 'leftAtDoorAt', 'duber.fullname', 'isDuberAway']),
  ...under('deliveries', ['situation', 'reOffers']),
] as const satisfies readonly FieldPath<Order>[];

/** The card of a job on the board of its Scrub. */
const BOARD_JOB_FIELDS = [
  ...LATEST_JOB_FIELDS,
  ...(['number', 'orderInstructions', 'statusHistory', 'selfDelivery', 'selfPickup', 'round'] as const),
  ...(['isHandedOver', 'situation', 'scrub.fullname', 'times'] as const),
  ...under('deliveries', ['status', 'deliveryType', 'round', 'situation', 'leftAtDoorAt']),
] as const satisfies readonly FieldPath<Order>[];

export const BUD_DASHBOARD_FIELDS = [
  'totalScrubOrders',
  'totalSpent',
  'totalActiveScrubOrders',
  'totalCompletedScrubOrders',
  ...under('latestScrubOrders', LATEST_ORDER_FIELDS),
  ...under('openOrders', LIVE_ORDER_FIELDS),
] as const;

export const SCRUB_DASHBOARD_FIELDS = [
  'todayEarning',
  'totalActiveScrubOrders',
  'totalCompletedScrubOrders',
  'averageScrubOrdersRating',
  'heldBy',
  ...under('latestJobs', LATEST_JOB_FIELDS),
  ...under('openJobs', BOARD_JOB_FIELDS),
] as const;

export const DUBER_DASHBOARD_FIELDS = [
  'stats',
  'heldBy',
  ...under('latestDeliveries', DELIVERY_ROW_FIELDS),
  ...under('pendingDeliveries', NEARBY_DELIVERY_FIELDS),
  ...under('activeDelivery', ACTIVE_DELIVERY_FIELDS),
  ...under('aheadDeliveries', ACTIVE_DELIVERY_FIELDS),
  ...under('carriedDeliveries', ['id', 'status', 'duber.fullname', 'isNextHere']),
] as const;
