import { sql } from 'kysely';
import { FAILURES, LAUNDRY_MOVED } from '../../contract/failures.ts';
import { type DeliveryStatus, ENDED_STATUSES } from '../../domain/deliveries.ts';
import { hasBagMoved, isLaundryHere, isWithDuber, type LaundryLeg, type LaundryOrder } from '../../domain/laundry.ts';
import type { OrderFacts } from '../../domain/needs.ts';
import { approximatePoint, distanceInMeters, NEARBY_RADIUS_M } from '../../domain/places.ts';
import { situationOfDelivery } from '../../domain/process/situation.ts';
import type { Actor } from '../../domain/workflow.ts';
import type { AddressSnapshot, OrderRow } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { isPrivacyCareful, isStartCareful } from '../town/policies.sql.ts';
import { selectScrub } from './placeOrder.sql.ts';

/** The facts of a delivery that the rows of its order read. Its `exceptions` have the planned steps, too. Price in cents. */
export type Leg = LaundryLeg & { readonly id: string; readonly price: number };

const LEGS = sql`select d.id, d.status, d.has_laundry as "hasLaundry", d.delivery_type as "deliveryType", d.round, d.price,
    (select coalesce(json_agg(json_build_object('action', t.action) order by t.position), '[]') from delivery_steps t
      where t.delivery_id = d.id) as exceptions
  from deliveries d`;

export function readLegs(tx: Tx, orderId: string): Promise<Leg[]> {
  return queryRows(tx, sql`${LEGS} where d.order_id = ${orderId} order by d.created_at, d.id`);
}

/** Locks the deliveries of an order, so that no Duber takes a step until the transaction ends. Lock the order before. */
export async function lockLegs(tx: Tx, orderId: string): Promise<Leg[]> {
  await queryRows(tx, sql`select d.id from deliveries d where d.order_id = ${orderId} order by d.id for no key update`);
  // A statement of its own: the lock may have waited, and a statement sees what was committed before it started.
  return readLegs(tx, orderId);
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
  const steps = tx.selectFrom('order_steps').select('order_id').where('order_id', '=', orderId);
  const givenBack = steps.where('action', '=', 'give-back').where('actor_id', '=', scrubId);
  return (await givenBack.executeTakeFirst()) !== undefined;
}

/** The order with its deliveries, for the rules about its laundry. */
const laundryOf = ({ round, handedOverAt }: OrderRow, deliveries: readonly Leg[]): LaundryOrder => ({
  ...{ round, deliveries },
  isHandedOver: handedOverAt !== null,
});

export const isLaundryAtScrub = (order: OrderRow, legs: readonly Leg[]): boolean =>
  isLaundryHere(laundryOf(order, legs));

/** Facts that only some rows read. An unread fact refuses nothing. */
const UNREAD = {
  ...{ photos: 0, lacksWayHome: false, isLookedFor: false, isStartCareful: false, hasWeight: false, costsMore: false },
  ...{ wayHome: undefined, correction: undefined, isNextScrubFree: undefined },
};

export function factsOf(order: OrderRow, legs: readonly Leg[]): OrderFacts {
  const laundry = laundryOf(order, legs);
  return {
    ...UNREAD,
    isWeighed: order.ceilingSize !== null,
    hasBagMoved: hasBagMoved(laundry),
    isLaundryHere: isLaundryHere(laundry),
    isLaundryAway: order.holderRole !== 'Bud' || hasBagMoved(laundry),
    isWithScrub: order.holderRole === 'Scrub',
    isGivenBack: order.givenBackAt !== null,
    isWithDuber: isWithDuber(laundry),
    haveDeliveriesEnded: legs.every(({ status }) => (ENDED_STATUSES as readonly DeliveryStatus[]).includes(status)),
    isClosed: order.closedAt !== null,
  };
}

/** Says where the laundry is, to a reader who can no longer leave the order. */
export function whereMoved(
  { isLaundryHere: isHere }: Pick<OrderFacts, 'isLaundryHere'>,
  legs: readonly Leg[],
  reader: Actor,
): string {
  if (isHere) return LAUNDRY_MOVED[reader === 'Scrub' ? 'here' : 'at-scrub'];
  const situations = legs.map(situationOfDelivery);
  if (situations.includes('lost')) return LAUNDRY_MOVED.lost;
  return situations.includes('relayed') || situations.includes('stranded')
    ? LAUNDRY_MOVED['with-duber']
    : FAILURES.laundryMoved[1];
}
