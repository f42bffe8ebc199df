import { sql } from 'kysely';
import { FAILURES, LAUNDRY_MOVED } from '../../contract/failures.ts';
import type { Role } from '../../domain/accounts.ts';
import { type DeliveryStatus, ENDED_STATUSES } from '../../domain/deliveries.ts';
import { hasBagMoved, isLaundryHere, isWithDuber, type LaundryLeg, type LaundryOrder } from '../../domain/laundry.ts';
import type { OrderFacts, StepReport } from '../../domain/needs.ts';
import { situationOfDelivery } from '../../domain/process/situation.ts';
import type { Actor } from '../../domain/workflow.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { holderRole } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** What the rows of an order look at in its deliveries: all steps, the planned ones too, are its exceptions. Price in cents. */
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

/** Whether the Duber who was to bring the laundry of the order `m` in its present round was called off. */
export const CALLED_OFF_OUTBOUND = sql`exists (select from deliveries d where d.order_id = m.id and d.round = m.round
  and d.delivery_type = 'Bud_To_Scrub' and d.status = 'Called_Off')`;

/** The order with its deliveries, for the rules about its laundry. */
const laundryOf = ({ round, handedOverAt }: OrderRow, deliveries: readonly Leg[]): LaundryOrder => ({
  ...{ round, deliveries },
  isHandedOver: handedOverAt !== null,
});

export const isLaundryAtScrub = (order: OrderRow, legs: readonly Leg[]): boolean =>
  isLaundryHere(laundryOf(order, legs));

/** Who has the laundry of an order, by its hand-overs. */
export async function readHolder(tx: Tx, orderId: string): Promise<Role> {
  const row = await queryRow<{ holder: Role }>(tx, sql`select ${holderRole(sql`${orderId}::uuid`)} as holder`);
  return row?.holder ?? 'Bud';
}

/** `holder` matters to operators only: what other people do ends while the laundry has not moved. */
export function factsOf(
  order: OrderRow,
  legs: readonly Leg[],
  { reason, words }: Partial<StepReport>,
  holder: Role = 'Bud',
): OrderFacts {
  const laundry = laundryOf(order, legs);
  return {
    reason,
    words,
    photos: 0,
    hasBagMoved: hasBagMoved(laundry),
    isLaundryHere: isLaundryHere(laundry),
    isLaundryAway: holder !== 'Bud' || hasBagMoved(laundry),
    isWithScrub: holder === 'Scrub',
    isGivenBack: order.givenBackAt !== null,
    isWithDuber: isWithDuber(laundry),
    haveDeliveriesEnded: legs.every(({ status }) => (ENDED_STATUSES as readonly DeliveryStatus[]).includes(status)),
    isClosed: order.closedAt !== null,
  };
}

/** Where laundry is that has left its Bud, for the one who asks why the order cannot be left any more. */
export function whereMoved({ isLaundryHere: isHere }: OrderFacts, legs: readonly Leg[], reader: Actor): string {
  if (isHere) return LAUNDRY_MOVED[reader === 'Scrub' ? 'here' : 'at-scrub'];
  const situations = legs.map(situationOfDelivery);
  if (situations.includes('lost')) return LAUNDRY_MOVED.lost;
  return situations.includes('relayed') || situations.includes('stranded')
    ? LAUNDRY_MOVED['with-duber']
    : FAILURES.laundryMoved[1];
}
