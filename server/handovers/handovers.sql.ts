import { type RawBuilder, sql } from 'kysely';
import type { Caller, Role } from '../../domain/accounts.ts';
import { type DeliveryType, ENDED_STATUSES, FINISHED_STATUSES } from '../../domain/deliveries.ts';
import { MAX_PIN_TRIES } from '../../domain/handovers.ts';
import { ORDER_GROUPS, ORDER_STATUSES } from '../../domain/orders.ts';
import type { Point } from '../../domain/places.ts';
import { HANDS_OVER_AT } from '../../domain/process/delivery.ts';
import { shortName } from '../db/approximate.sql.ts';
import { isOnBoard, isRelayed, literals } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { isPrivacyCareful, isProofCareful } from '../town/policies.sql.ts';
import { canDuberSeeContacts, canScrubSeePhotos, VISIBLE_TO } from '../visibility/viewRules.sql.ts';
import { hasReachedRecipient, isHeldByDuber, recipientRole } from './recordHandover.ts';

/** The statuses of an order that was not called off. */
const GOING_ON = ORDER_STATUSES.filter((status) => ORDER_GROUPS[status] !== 'cancelled');

/** Whether the hand-over `h` was a mistake that was taken back: what was counted then counts no more. */
const WAS_TAKEN_BACK = sql`exists (select from handovers back
  where back.order_id = h.order_id and back.takes_back = h.position)`;
/** The bags of the hand-over `h`. One that takes another one back repeats its number. */
const COUNTED = sql`case when h.takes_back is null then h.bags end`;

/** How many bags were counted before the hand-over at `position`, or at it before its recipient confirmed it. */
export async function findBagsBefore(
  tx: Tx,
  { orderId, position, isConfirmation }: { orderId: string; position: number; isConfirmation: boolean },
): Promise<number | undefined> {
  const bags = sql`case when h.position < ${position} then coalesce(c.bags, ${COUNTED}) else ${COUNTED} end`;
  const row = await queryRow<{ bags: number }>(
    tx,
    sql`select ${bags} as bags from handovers h
      left join handover_confirmations c on c.order_id = h.order_id and c.position = h.position
      where h.order_id = ${orderId} and h.position < ${position + (isConfirmation ? 1 : 0)} and ${bags} is not null
        and not ${WAS_TAKEN_BACK}
      order by h.position desc limit 1`,
  );
  return row?.bags;
}

/** Whether a Duber carries the laundry of `orders o`, or is about to. */
const isCarriedBy = (duber: string) => sql<boolean>`exists (select from deliveries d where d.order_id = o.id
  and d.duber_id = ${duber} and d.status not in (${literals(FINISHED_STATUSES)}))`;

/** A condition: the caller is the Bud or the Scrub of `orders o`, or a Duber who carries its laundry. */
const takesPartIn = ({ role, id }: Caller): RawBuilder<boolean> => {
  if (role === 'Duber') return isCarriedBy(id);
  return sql`${sql.ref(role === 'Bud' ? 'o.bud_id' : 'o.scrub_id')} = ${id}`;
};

/** The name of a person at `alias`, as the caller sees it: a Scrub sees the Bud's once they have accepted, where the policy says so. */
function seenName(caller: Caller, alias: 'b' | 'g' | 't', now: Date): RawBuilder<string> {
  const name = sql<string>`${sql.ref(`${alias}.fullname`)}`;
  const hidden = whoIsHidden(caller, alias, now);
  return hidden ? sql`case when ${hidden} then ${shortName(name)} else ${name} end` : name;
}

function whoIsHidden({ role, id }: Caller, alias: string, now: Date): RawBuilder<boolean> | undefined {
  const isRole = (other: Role) => sql`${sql.ref(`${alias}.role`)} = ${other}`;
  if (role === 'Duber') return sql`(${isRole('Duber')} and ${sql.ref(`${alias}.id`)} <> ${id})`;
  if (role === 'Bud') return undefined;
  const viewer = { role, id: sql`${id}`, now: sql`${now}`, isCareful: true };
  return sql`(${isRole('Bud')} and ${isPrivacyCareful(viewer.now)} and not ${VISIBLE_TO[role](viewer).budName})`;
}

/** Whether no Duber comes in this round of `orders o`: the people have said so, or the delivery was called off. */
const isWithoutDuber = (self: 'o.self_delivery' | 'o.self_pickup', type: DeliveryType) =>
  sql<boolean>`(${sql.ref(self)} or exists (select from deliveries d where d.order_id = o.id and d.round = o.round
    and d.delivery_type = ${type} and d.status = 'Called_Off'))`;

/** Whether a Duber has the laundry of `orders o` for a delivery that goes on. */
const IS_CARRIED = sql<boolean>`exists (select from deliveries d where d.order_id = o.id
  and (${isOnBoard('d')} or ${isRelayed('d')}))`;

/** What custody and its calls read of an order that the caller takes part in. */
/** Whether a Duber brings the laundry of the cancelled order `o` home. */
const IS_BROUGHT_HOME = sql<boolean>`(o.way_home is not null and exists (select from deliveries d where d.order_id = o.id
  and d.round = o.round and d.delivery_type = 'Scrub_To_Bud' and d.status not in (${literals(ENDED_STATUSES)})))`;

export async function findCustodyOrder(tx: Tx, caller: Caller, orderId: string, now: Date) {
  return tx
    .selectFrom('orders as o')
    .innerJoin('users as b', 'b.id', 'o.bud_id')
    .select([
      'o.id',
      seenName(caller, 'b', now).as('budName'),
      'o.status',
      'o.bud_id as budId',
      'o.scrub_id as scrubId',
      'o.holder_role as holderRole',
      isWithoutDuber('o.self_delivery', 'Bud_To_Scrub').as('isBroughtByBud'),
      isWithoutDuber('o.self_pickup', 'Scrub_To_Bud').as('isFetchedByBud'),
      IS_CARRIED.as('isCarried'),
      IS_BROUGHT_HOME.as('isBroughtHome'),
      'o.leave_at_door as leaveAtDoor',
    ])
    .where('o.id', '=', orderId)
    .where(takesPartIn(caller))
    .executeTakeFirst();
}
export type CustodyOrder = NonNullable<Awaited<ReturnType<typeof findCustodyOrder>>>;

/** Steps of the order, and other calls that change what its people have, wait until the transaction ends. */
export async function lockOrder(tx: Tx, orderId: string): Promise<void> {
  await tx.selectFrom('orders').select('id').where('id', '=', orderId).forNoKeyUpdate().executeTakeFirst();
}

/** The photos of `handovers h` in the order in which they were sent. */
const photosOf = (caller: Caller, now: Date) => sql<string[]>`array(select f.id from files f
  where f.about_kind = 'handover' and f.about_id = h.id and f.kept_at is not null and f.gone_at is null
    and ${seesPhotos(caller, now)} order by f.at, f.id)`;

/** Whether the caller sees the photos of `handovers h` of `orders o`. A Duber sees those of their own delivery. */
function seesPhotos({ role, id }: Caller, now: Date): RawBuilder<boolean> {
  const viewer = { id: sql`${id}`, now: sql`${now}` };
  if (role === 'Bud') return sql`true`;
  if (role === 'Scrub') return canScrubSeePhotos(viewer, sql`h.round`);
  return sql`exists (select from deliveries d where d.id = h.delivery_id and ${canDuberSeeContacts(viewer)})`;
}

/** The hand-overs of an order, oldest first. A Duber sees the names of other Dubers shortened. */
export function listHandovers(tx: Tx, caller: Caller, orderId: string, now: Date) {
  return tx
    .selectFrom('handovers as h')
    .innerJoin('orders as o', 'o.id', 'h.order_id')
    .innerJoin('users as g', 'g.id', 'h.giver_id')
    .innerJoin('users as t', 't.id', 'h.taker_id')
    .leftJoin('handover_confirmations as c', (join) =>
      join.onRef('c.order_id', '=', 'h.order_id').onRef('c.position', '=', 'h.position'),
    )
    .select([
      'h.position',
      'h.giver_role as giverRole',
      'h.giver_id as giverId',
      seenName(caller, 'g', now).as('giverName'),
      'h.taker_role as takerRole',
      'h.taker_id as takerId',
      seenName(caller, 't', now).as('takerName'),
      'h.delivery_id as deliveryId',
      'h.bags',
      'h.proof',
      'h.takes_back as takesBack',
      photosOf(caller, now).as('fileIds'),
      'h.taken_at as takenAt',
      'h.at',
      'c.bags as confirmedBags',
      'c.at as confirmedAt',
    ])
    .where('h.order_id', '=', orderId)
    .orderBy('h.position')
    .execute();
}
export type HandoverRow = Awaited<ReturnType<typeof listHandovers>>[number];

const TO_AND_FROM_SCRUB = ['Bud_To_Scrub', 'Scrub_To_Bud'] as const;

/** The deliveries that are on their way to the caller, also back to them: two at most. */
export function listArrivingDeliveries(tx: Tx, { role }: Pick<Caller, 'role'>, orderId: string) {
  return tx
    .selectFrom('deliveries')
    .select(['id', 'attempt', 'duber_id as duberId'])
    .where('order_id', '=', orderId)
    .where((is) => {
      const [to, from] = role === 'Scrub' ? TO_AND_FROM_SCRUB : TO_AND_FROM_SCRUB.toReversed();
      return is.or([
        is.and([is('delivery_type', '=', to), is('status', 'in', HANDS_OVER_AT.recipient)]),
        is.and([is('delivery_type', '=', from), is('status', 'in', HANDS_OVER_AT.sender)]),
      ]);
    })
    .execute();
}

/** Writes what the recipient of a hand-over says; false when they have said it before. */
export async function insertConfirmation(
  tx: Tx,
  { orderId, position, by, bags }: { orderId: string; position: number; by: string; bags: number },
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('handover_confirmations')
    .values({ order_id: orderId, position, by_id: by, bags, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Writes the choice of the Bud; false when it was this already, or the order has ended. */
export async function setLeaveAtDoor(tx: Tx, orderId: string, leaveAtDoor: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ leave_at_door: leaveAtDoor })
    .where('id', '=', orderId)
    .where('leave_at_door', '<>', leaveAtDoor)
    .where((is) => is.or([is('status', 'in', GOING_ON), is('way_home', '=', 'bring')]))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** What a proof of a Duber's delivery is judged by. Undefined when the delivery is not theirs. */
export async function findProofFacts(tx: Tx, duber: string, deliveryId: string, now: Date) {
  return tx
    .selectFrom('deliveries as d')
    .innerJoin('orders as o', 'o.id', 'd.order_id')
    .leftJoin('pins as p', (join) =>
      join.onRef('p.order_id', '=', 'o.id').onRef('p.round', '=', 'o.round').on('p.side', '=', recipientRole),
    )
    .select([
      'd.status',
      'd.order_id as orderId',
      'd.delivery_type as deliveryType',
      'o.leave_at_door as mayLeaveAtDoor',
      sql<boolean>`coalesce(p.tries >= ${sql.lit(MAX_PIN_TRIES)}, false)`.as('isPinBlocked'),
      sql<Point>`(select json_build_object('latitude', (t.door ->> 'latitude')::float8, 'longitude', (t.door ->> 'longitude')::float8)
        from (select case ${recipientRole} when 'Bud' then o.bud_address else o.scrub_address end as door) t)`.as(
        'door',
      ),
      hasReachedRecipient.as('hasReachedRecipient'),
      isHeldByDuber.as('isHeldByDuber'),
      isProofCareful(sql`${now}`).as('isProofDemanded'),
    ])
    .where('d.id', '=', deliveryId)
    .where('d.duber_id', '=', duber)
    .executeTakeFirst();
}
