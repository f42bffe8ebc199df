import { sql } from 'kysely';
import { FAILURES, LAUNDRY_MOVED } from '../../contract/failures.ts';
import { type DeliveryStatus, type DeliveryType, hasEnded } from '../../domain/deliveries.ts';
import type { OrderFacts } from '../../domain/needs.ts';
import { approximatePoint, distanceInMeters, NEARBY_RADIUS_M } from '../../domain/places.ts';
import { hasBagMoved, isAtScrub, type LaundryOrder, WITH_DUBER } from '../../domain/process/holder.ts';
import type { DeliverySituation } from '../../domain/process/situation.ts';
import type { Actor } from '../../domain/workflow.ts';
import type { AddressSnapshot, OrderRow } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { isPrivacyCareful, isStartCareful } from '../town/policies.sql.ts';
import { deliverySituation } from '../visibility/situations.sql.ts';
import { selectScrub } from './placeOrder.sql.ts';

/** The facts of a delivery that the rows of its order read. Price in cents. */
export type Delivery = {
  readonly id: string;
  readonly deliveryType: DeliveryType;
  readonly round: number;
  readonly status: DeliveryStatus;
  readonly situation: DeliverySituation;
  readonly price: number;
};

/** The people of an order see every step of its deliveries. */
const ANY_PERSON = { role: 'Bud', id: sql`null`, now: sql`null`, isCareful: false } as const;

const DELIVERIES = sql`select d.id, d.status, d.delivery_type as "deliveryType", d.round, d.price, ${deliverySituation(ANY_PERSON)} as situation
  from deliveries d`;

export function readDeliveries(tx: Tx, orderId: string): Promise<Delivery[]> {
  return queryRows(tx, sql`${DELIVERIES} where d.order_id = ${orderId} order by d.created_at, d.id`);
}

/** Locks the deliveries of an order, so that no Duber takes a step until the transaction ends. Lock the order before. */
export async function lockDeliveries(tx: Tx, orderId: string): Promise<Delivery[]> {
  await queryRows(tx, sql`select d.id from deliveries d where d.order_id = ${orderId} order by d.id for no key update`);
  // A statement of its own: the lock may have waited, and a statement sees what was committed before it started.
  return readDeliveries(tx, orderId);
}

/** Whether the Duber who was to bring the laundry of an order in its present round was called off. */
export async function isOutboundCalledOff(tx: Tx, { id, round }: Pick<OrderRow, 'id' | 'round'>): Promise<boolean> {
  const outbound = tx.selectFrom('deliveries').select('id').where('order_id', '=', id).where('round', '=', round);
  const calledOff = outbound.where('delivery_type', '=', 'Bud_To_Scrub').where('status', '=', 'Called_Off');
  return (await calledOff.limit(1).executeTakeFirst()) !== undefined;
}

/** Whether the town's policy lets Scrubs press only while they have the laundry. */
export async function readIsStartCareful(tx: Tx, now: Date): Promise<boolean> {
  const row = await queryRow<{ isCareful: boolean }>(tx, sql`select ${isStartCareful(sql`${now}`)} as "isCareful"`);
  return row?.isCareful === true;
}

/** Whether the town has looked for the laundry of an order, or does. */
export async function isLookedFor(tx: Tx, orderId: string): Promise<boolean> {
  const cases = tx.selectFrom('cases').select('id').where('order_id', '=', orderId).where('kind', '=', 'lost');
  return (await cases.limit(1).executeTakeFirst()) !== undefined;
}

/** The Scrub whom a Bud chooses after theirs gave the order back. */
export type NextScrub = {
  readonly scrubId: string;
  readonly scrubAddress: AddressSnapshot;
  readonly distanceInMeters: number;
  /** Whether they work near the Bud, and have not given this order back before. */
  readonly isFree: boolean;
};

export async function readNextScrub(
  tx: Tx,
  { id, budAddress }: OrderRow,
  scrubId: string,
  now: Date,
): Promise<NextScrub | undefined> {
  const found = await queryRow<{ scrub: { active: boolean; place: AddressSnapshot } | null; isCareful: boolean }>(
    tx,
    sql`select ${selectScrub(sql`${scrubId}`)} as scrub, ${isPrivacyCareful(sql`${now}`)} as "isCareful"`,
  );
  if (!found?.scrub) return undefined;
  const { active, place } = found.scrub;
  // Then the Bud knows only the approximate place.
  const shown = found.isCareful ? approximatePoint(place) : place;
  const isNear = distanceInMeters(budAddress, shown) <= NEARBY_RADIUS_M;
  return {
    ...{ scrubId, scrubAddress: place },
    distanceInMeters: Math.round(distanceInMeters(budAddress, place)),
    isFree: active && isNear && !(await hasHadOrder(tx, id, scrubId)),
  };
}

/** Whether a Scrub gave this order back before. */
async function hasHadOrder(tx: Tx, orderId: string, scrubId: string): Promise<boolean> {
  const steps = tx.selectFrom('steps').select('position').where('subject_id', '=', orderId);
  const givenBack = steps.where('action', '=', 'give-back').where('actor_id', '=', scrubId);
  return (await givenBack.executeTakeFirst()) !== undefined;
}

/** The order with its deliveries, for the rules about its laundry. */
const laundryOf = ({ round, handedOverAt }: OrderRow, deliveries: readonly Delivery[]): LaundryOrder => ({
  ...{ round, deliveries },
  isHandedOver: handedOverAt !== null,
});

export const isLaundryAtScrub = (order: OrderRow, deliveries: readonly Delivery[]): boolean =>
  isAtScrub(laundryOf(order, deliveries));

/** Whether a Duber is on the way to the Bud, to collect the laundry in this round. */
const isDuberComing = ({ round }: OrderRow, deliveries: readonly Delivery[]): boolean =>
  deliveries.some((one) => one.round === round && one.deliveryType === 'Bud_To_Scrub' && one.status === 'Way_To_Pick');

/** Facts that only some rows read. An unread fact refuses nothing. */
const UNREAD = {
  ...{ photos: 0, lacksWayHome: false, isLookedFor: false, isStartCareful: false, hasWeight: false, costsMore: false },
  ...{ wayHome: undefined, correction: undefined, isNextScrubFree: undefined, isProposed: false },
  ...{ isProposedByTown: false, move: undefined },
};

export function factsOf(order: OrderRow, deliveries: readonly Delivery[]): OrderFacts {
  const laundry = laundryOf(order, deliveries);
  return {
    ...UNREAD,
    isWeighed: order.ceilingSize !== null,
    hasBagMoved: hasBagMoved(laundry),
    isLaundryHere: isAtScrub(laundry),
    isLaundryAway: order.holderRole !== 'Bud' || hasBagMoved(laundry),
    isWithScrub: order.holderRole === 'Scrub',
    isGivenBack: order.givenBackAt !== null,
    isWithDuber: deliveries.some(({ situation }) => WITH_DUBER.includes(situation)),
    haveDeliveriesEnded: deliveries.every(({ status }) => hasEnded(status)),
    isClosed: order.closedAt !== null,
    hasTimes: order.returnFrom !== null,
    ...backOf(order),
    isCreditOwed: undefined,
    hasPickupBegun:
      order.status === 'In_Progress' || hasBagMoved(laundry) || isAtScrub(laundry) || isDuberComing(order, deliveries),
  };
}

/** Says where the laundry is, to a reader who can no longer leave the order. */
export function whereMoved(
  { isLaundryHere: isHere }: Pick<OrderFacts, 'isLaundryHere'>,
  deliveries: readonly Delivery[],
  reader: Actor,
): string {
  if (isHere) return LAUNDRY_MOVED[reader === 'Scrub' ? 'here' : 'at-scrub'];
  const situations = deliveries.map(({ situation }) => situation);
  if (situations.includes('lost')) return LAUNDRY_MOVED.lost;
  return situations.includes('relayed') || situations.includes('stranded')
    ? LAUNDRY_MOVED['with-duber']
    : FAILURES.laundryMoved[1];
}

/** Whether the laundry of an order is back, and whether it was by the promised time. What never left its Bud is not back. */
function backOf({ status, holderRole, heldSince, promisedAt }: OrderRow) {
  const isBack = status === 'Completed' && holderRole === 'Bud' && heldSince !== null;
  return { isBack, isBackInTime: isBack && promisedAt !== null && heldSince <= promisedAt };
}
