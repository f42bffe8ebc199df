import { sql } from 'kysely';
import { type DeliveryStatus, type DeliveryType, ENDED_STATUSES, LAUNDRY_STATUSES } from '../../domain/deliveries.ts';
import type { OrderFacts, StepReport } from '../../domain/needs.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';

/** What the rows of an order look at in its deliveries. Price in cents. */
export type Leg = {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly hasLaundry: boolean;
  readonly isLost: boolean;
  readonly deliveryType: DeliveryType;
  readonly round: number;
  readonly price: number;
};

/** The laundry waits with an earlier Duber, who could not go on, until the next one collects it. */
const IS_RELAYED = sql`d.status in ('Pending', 'Accepted', 'Way_To_Pick', 'Failed') and coalesce((select t.action = 'relay'
  from delivery_steps t where t.delivery_id = d.id and t.action in ('relay', 'brought-back')
  order by t.position desc limit 1), false)`;

const LEGS = sql`select d.id, d.status, d.has_laundry or ${IS_RELAYED} as "hasLaundry", d.delivery_type as "deliveryType", d.round, d.price,
    d.status = 'Failed' and coalesce((select t.action = 'report-lost' from delivery_steps t where t.delivery_id = d.id
      order by t.position desc limit 1), false) as "isLost"
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

/** Whether the Duber who was to bring the laundry of the order `m` in its present round was called off. */
export const CALLED_OFF_OUTBOUND = sql`exists (select from deliveries d where d.order_id = m.id and d.round = m.round
  and d.delivery_type = 'Bud_To_Scrub' and d.status = 'Called_Off')`;

const outboundOf = ({ round }: OrderRow, legs: readonly Leg[]) =>
  legs.filter((leg) => leg.deliveryType === 'Bud_To_Scrub' && leg.round === round);

export const isLaundryHere = (order: OrderRow, legs: readonly Leg[]): boolean =>
  order.handedOverAt !== null || outboundOf(order, legs).some(({ status }) => status === 'Delivered');

export function factsOf(order: OrderRow, legs: readonly Leg[], { reason, words }: Partial<StepReport>): OrderFacts {
  const isOnBoard = ({ status, hasLaundry }: Leg) => hasLaundry || LAUNDRY_STATUSES.includes(status);
  const isHere = isLaundryHere(order, legs);
  return {
    reason,
    words,
    photos: 0,
    hasBagMoved: isHere || outboundOf(order, legs).some(isOnBoard),
    isLaundryHere: isHere,
    isGivenBack: order.givenBackAt !== null,
    isWithDuber: legs.some((leg) => isOnBoard(leg) && !leg.isLost),
    haveDeliveriesEnded: legs.every(({ status }) => (ENDED_STATUSES as readonly DeliveryStatus[]).includes(status)),
    isClosed: order.closedAt !== null,
  };
}
