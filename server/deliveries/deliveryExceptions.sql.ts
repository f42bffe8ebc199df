import { type RawBuilder, sql } from 'kysely';
import type { DeliveryExceptionAnswer } from '../../contract/exceptions.ts';
import type { Role } from '../../domain/accounts.ts';
import type {
  DeliveryExceptionAction,
  DeliveryStatus,
  DeliveryTownAction,
  DeliveryType,
} from '../../domain/deliveries.ts';
import type { TripPayer } from '../../domain/orders.ts';
import { bandOf, type Point } from '../../domain/places.ts';
import { ENDS_ARRIVAL } from '../../domain/process/delivery.ts';
import { hasLaundry as hasLaundrySql, isExactPosition, literals } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { feeOfWay } from '../db/orderLines.sql.ts';
import { publishMovedDeliverySql } from '../events/publish.ts';
import { isConfirmedByTaker, isTakenFrom } from '../handovers/recordHandover.ts';
import { correctionCount, hasScrubGoneOn } from './undo.sql.ts';

export type ExceptionAction = DeliveryExceptionAction | DeliveryTownAction;

/** Who takes a step: a person of the delivery, an operator (whose account may be known), or the server. */
export type StepActor =
  | { readonly role: Extract<Role, 'Bud' | 'Duber'>; readonly id: string }
  | { readonly role: 'Operator'; readonly id: string | null }
  | { readonly role: 'System'; readonly id: null };

/** A delivery and its history, as far as the needs of its rows look at them. Money in cents. */
export type DeliveryWithHistory = {
  readonly id: string;
  readonly orderId: string;
  readonly type: DeliveryType;
  readonly status: DeliveryStatus;
  readonly attempt: number;
  readonly hasLaundry: boolean;
  readonly budId: string;
  readonly scrubId: string;
  readonly duberId: string | null;
  readonly carrierId: string | null;
  readonly leftBy: string | null;
  readonly leftAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly price: number;
  /** Who pays the way of an order that starts over; null when its Bud does. */
  readonly paidBy: TripPayer | null;
  readonly distanceM: number;
  /** What the way costs, and how far it is, from where it comes from. */
  readonly wholeWay: { readonly price: number; readonly distanceM: number };
  /** Where it is collected; somewhere on the way once a Duber could not go on. */
  readonly pickup: Point;
  /** Where it comes from, by its order. */
  readonly origin: Point;
  readonly drop: Point;
  /** When the present Duber accepted it, as the server heard it; without one, when it was opened. */
  readonly acceptedAt: Date;
  /** When the Duber arrived at the door where the delivery is now, as far as it counts. It stands when a later step is taken back. */
  readonly arrivedAt: Date | null;
  /** Whether they said so before they can have been there. */
  readonly isArrivalEarly: boolean;
  /** Whether more than the Duber's word says that it failed the last time; null when it never did. */
  readonly isFailureProven: boolean | null;
  readonly lastAction: string | null;
  /** When the last step was sent, and when it was taken: not before a step that was sent at once. */
  readonly lastStepAt: Date;
  readonly lastTakenAt: Date;
  readonly collectedAt: Date | null;
  readonly reOffers: number;
  /** How often its Duber took a step back. */
  readonly corrections: number;
  readonly isOrderCancelled: boolean;
  /** Whether the Scrub has weighed the laundry, started or finished since the last step of the delivery. */
  readonly hasScrubGoneOn: boolean;
  /** Whether the one who took the laundry last has said on their own phone that they have it. */
  readonly isConfirmed: boolean;
  /** Whether the laundry is still with them. */
  readonly isTaken: boolean;
  /** The last position that its Duber shared. */
  readonly position: Point | null;
};

const isInScope = ({ role, id }: StepActor): RawBuilder<boolean> => {
  if (role === 'Duber') return sql`d.duber_id = ${id}::uuid`;
  return role === 'Bud' ? sql`d.bud_id = ${id}::uuid` : sql`true`;
};

const ARRIVED_ACTIONS = sql`(case d.status when 'Way_To_Pick' then 'arrived-at-pickup' when 'Way_To_Drop' then 'arrived-at-drop' end)`;
/** Whether the delivery started over after its step `t`, other than by taking a step back. */
export const HAS_STARTED_OVER = sql`exists (select from delivery_steps s where s.delivery_id = d.id and s.position > t.position
  and s.action in (${literals(ENDS_ARRIVAL)}))`;
const pointOf = (address: RawBuilder<unknown>) =>
  sql`json_build_object('latitude', (${address} ->> 'latitude')::float8, 'longitude', (${address} ->> 'longitude')::float8)`;
const isOutbound = sql`d.delivery_type = 'Bud_To_Scrub'`;

/** When a step was sent last that was not taken earlier: the device had a network. An offer is accepted with one. */
const LAST_HEARD = sql`(select max(t.created_at) from delivery_steps t
  where t.delivery_id = d.id and (t.taken_at is null or t.action = 'accept-delivery'))`;

/** The delivery, if it is the actor's. Raw SQL: one look at it and all of its history. */
export function readDeliveryWithHistory(
  tx: Tx,
  actor: StepActor,
  id: string,
): Promise<DeliveryWithHistory | undefined> {
  const first = (condition: RawBuilder<unknown>, value: RawBuilder<unknown>, order = sql``) =>
    sql`(select ${value} from delivery_steps t where t.delivery_id = d.id and ${condition}
      order by t.position ${order} limit 1)`;
  const latest = (condition: RawBuilder<unknown>, value: RawBuilder<unknown>) => first(condition, value, sql`desc`);
  const takenAt = sql`coalesce(t.taken_at, t.created_at)`;
  const isArrival = sql`t.action = ${ARRIVED_ACTIONS} and not ${HAS_STARTED_OVER}`;
  return queryRow(
    tx,
    sql`select d.id, d.order_id as "orderId", d.delivery_type as type, d.status, d.attempt, ${hasLaundrySql('d')} as "hasLaundry",
        d.bud_id as "budId", d.scrub_id as "scrubId", d.duber_id as "duberId", d.carrier_id as "carrierId", d.left_by as "leftBy", d.left_at as "leftAt",
        d.delivered_at as "deliveredAt", d.price, d.paid_by as "paidBy", d.distance_m as "distanceM",
        json_build_object('distanceM', o.distance_m,
          -- A Bud who wanted to fetch it has not paid for a way home.
          'price', greatest(d.price, ${feeOfWay(sql`d.delivery_type`)})) as "wholeWay",
        json_build_object('latitude', d.pickup_latitude, 'longitude', d.pickup_longitude) as pickup,
        ${pointOf(sql`(case when ${isOutbound} then o.bud_address else o.scrub_address end)`)} as origin,
        ${pointOf(sql`(case when ${isOutbound} then o.scrub_address else o.bud_address end)`)} as drop,
        coalesce(${latest(sql`t.action = 'accept-delivery'`, sql`t.created_at`)}, d.created_at) as "acceptedAt",
        ${first(isArrival, sql`coalesce(t.counts_from, ${takenAt})`)} as "arrivedAt",
        coalesce(${first(isArrival, sql`t.counts_from is not null`)}, false) as "isArrivalEarly",
        ${latest(sql`t.action in ('pickup-failed', 'drop-failed')`, sql`coalesce(t.is_proven, true)`)} as "isFailureProven",
        ${latest(sql`t.action = 'collected'`, takenAt)} as "collectedAt",
        last.action as "lastAction", last.created_at as "lastStepAt",
        greatest(coalesce(last.taken_at, last.created_at), ${LAST_HEARD}) as "lastTakenAt",
        (select count(*)::int from delivery_steps t where t.delivery_id = d.id and t.action = 're-offer') as "reOffers",
        ${correctionCount} as corrections,
        o.status = 'Cancelled' as "isOrderCancelled",
        ${hasScrubGoneOn} as "hasScrubGoneOn",
        ${isConfirmedByTaker} as "isConfirmed",
        ${isTakenFrom} as "isTaken",
        (select json_build_object('latitude', p.latitude, 'longitude', p.longitude) from delivery_positions p
          where p.delivery_id = d.id and p.latitude is not null and ${isExactPosition}) as position
      from deliveries d join orders o on o.id = d.order_id
        cross join lateral (select * from delivery_steps t where t.delivery_id = d.id order by t.position desc limit 1) last
      where d.id = ${id} and ${isInScope(actor)}`,
  );
}

/** Locks a delivery, and its order before, as everybody does. Lock both before a timer of the delivery. */
export async function lockDelivery(tx: Tx, id: string): Promise<void> {
  await queryRow(
    tx,
    sql`select o.id from orders o where o.id = (select d.order_id from deliveries d where d.id = ${id}) for no key update`,
  );
  await queryRow(tx, sql`select d.id from deliveries d where d.id = ${id} for no key update`);
}

/** What a step changes of a delivery. */
export type DeliveryChange = {
  readonly to: DeliveryStatus;
  readonly startsOver: boolean;
  readonly duberId: string | null;
  readonly hasLaundry: boolean;
  readonly carrierId: string | null;
  readonly leftBy: string | null;
  readonly leftAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly stoppedAt: Date | null;
  readonly price: number;
  readonly distanceM: number;
  readonly pickup: Point;
};

/** What the history records besides the change. */
export type StepRecord = {
  readonly action: ExceptionAction;
  readonly actor: StepActor;
  readonly reason: string | null;
  readonly words: string | null;
  readonly takenAt: Date | null;
  readonly requestKey: Buffer | null;
  readonly fileIds: readonly string[];
  /** From when an arrival counts that was said too early. */
  readonly countsFrom: Date | null;
  /** Of a failure, whether more than the word of its Duber says so. */
  readonly isProven: boolean | null;
};

/**
 * Compare-and-swap: changes a delivery if it is still as it was read. History, events and the position of a Duber who no
 * longer has it are in the same statement (decision 036). Undefined when somebody else was faster.
 */
export async function changeDelivery(
  tx: Tx,
  delivery: DeliveryWithHistory,
  { to, startsOver, pickup, ...change }: DeliveryChange,
  { action, actor, reason, words, takenAt, requestKey, fileIds, countsFrom, isProven }: StepRecord,
  at: Date,
): Promise<DeliveryExceptionAnswer | undefined> {
  const { id, status: from, attempt, hasLaundry: isLoaded, duberId } = delivery;
  const moved = await queryRow<{ attempt: number }>(
    tx,
    sql`with moved as (
        update deliveries d set status = ${to}, attempt = d.attempt + ${startsOver ? 1 : 0}, duber_id = ${change.duberId}::uuid,
            has_laundry = ${change.hasLaundry}, carrier_id = ${change.carrierId}::uuid, left_by = ${change.leftBy}::uuid,
            left_at = ${change.leftAt}::timestamptz, delivered_at = ${change.deliveredAt}::timestamptz,
            stopped_at = ${change.stoppedAt}::timestamptz, price = ${change.price}, distance_m = ${change.distanceM},
            pickup_latitude = ${pickup.latitude}, pickup_longitude = ${pickup.longitude},
            pickup_band = ${bandOf(pickup.latitude)}
          where d.id = ${id} and d.status = ${from} and d.attempt = ${attempt} and ${hasLaundrySql('d')} = ${isLoaded}
            and d.duber_id is not distinct from ${duberId}::uuid
          returning d.*),
      step as (
        insert into delivery_steps (delivery_id, attempt, action, status, actor_id, actor_role, reason, words, created_at,
            taken_at, request_key, file_ids, counts_from, is_proven, position)
          select m.id, ${attempt}::int, ${action}, ${to}, ${actor.id}::uuid, ${actor.role}, ${reason}::text, ${words}::text,
            ${at}::timestamptz, ${takenAt}::timestamptz, ${requestKey}::bytea, ${[...new Set(fileIds)]}::uuid[],
            ${countsFrom}::timestamptz, ${isProven}::boolean,
            (select count(*) from delivery_steps p where p.delivery_id = m.id)
          from moved m),
      forgotten as (
        delete from delivery_positions p using moved m
          where p.delivery_id = m.id and m.duber_id is distinct from ${duberId}::uuid),
      ${publishMovedDeliverySql({
        from: sql`${from}`,
        to: sql`${to}`,
        now: sql`${at}`,
        formerDuber: change.duberId === duberId ? sql`null` : sql`${duberId}`,
      })}
      select m.attempt from moved m`,
  );
  return moved && { status: to, createdAt: at.toISOString(), deliveryId: id, attempt: moved.attempt };
}

/** The step that an earlier request with the same key has taken. */
export async function findExceptionByKey(
  tx: Tx,
  { id, action, requestKey }: { id: string; action: ExceptionAction; requestKey: Buffer | null },
) {
  if (requestKey === null) return undefined;
  return tx
    .selectFrom('delivery_steps')
    .select(['status', 'created_at as createdAt', 'attempt'])
    .where('delivery_id', '=', id)
    .where('action', '=', action)
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
}
