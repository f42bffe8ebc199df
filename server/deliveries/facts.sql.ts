import { type RawBuilder, sql } from 'kysely';
import { type DeliveryStepAction, MAX_AHEAD, MAX_AHEAD_AT_ONCE } from '../../domain/deliveries.ts';
import type { DeliveryFacts, Need } from '../../domain/needs.ts';
import type { Point } from '../../domain/places.ts';
import {
  DELIVERY_ROWS,
  type DeliveryBefore,
  type DeliveryColumns,
  type DeliveryRow,
  isPlannedAction,
  startsSilence,
} from '../../domain/process/delivery.ts';
import { isRestrictedFrom } from '../auth/restrictions.sql.ts';
import { cacheByKey } from '../db/caches.ts';
import { hasJustLeft, hasUnderWay, isAhead, isExactPosition, isOnBoard, isUnderWay } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { feeOfWay } from '../db/orderLines.sql.ts';
import { prepare } from '../db/prepared.ts';
import { HAS_MOVED_ON, isConfirmedByRecipient, isTaken, needsNoProof } from '../handovers/recordHandover.ts';
import type { StepActor } from '../process/takeStep.ts';
import { isSilenceCareful } from '../town/policies.sql.ts';
import { IS_ARRIVAL } from '../visibility/situations.sql.ts';
import { correctionCount, hasScrubGoneOn } from './undo.sql.ts';

// What the needs and the causes of a delivery's rows read, in one query for each action. Raw SQL: one look at the delivery and its history.

/** Facts of every step. Money in cents. */
type Present = DeliveryBefore &
  Omit<DeliveryColumns, 'stoppedAt'> & {
    readonly id: string;
    readonly orderId: string;
    readonly round: number;
    readonly attempt: number;
    readonly budId: string;
    readonly scrubId: string;
    /** When the last step was sent. */
    readonly lastStepAt: Date;
  };

/** Facts of the steps that are not planned. */
type History = {
  /** When the present Duber accepted it, as the server heard it; without one, when it was opened. */
  readonly acceptedAt: Date;
  /** Whether the Duber said that they have arrived before they can have been there. */
  readonly isArrivalEarly: boolean;
  /** Whether more than the Duber's word says that it failed the last time; null when it never did. */
  readonly isFailureProven: boolean | null;
  /** When the last step was taken: not before a step that was sent at once. */
  readonly lastTakenAt: Date;
  readonly collectedAt: Date | null;
  readonly reOffers: number;
  /** How often its Duber took a step back. */
  readonly corrections: number;
  readonly isOrderCancelled: boolean;
  /** Whether the Scrub has weighed the laundry, started or finished since the last step of the delivery. */
  readonly hasScrubGoneOn: boolean;
  /** Whether the last recipient of the laundry has confirmed the hand-over on their own phone. */
  readonly isConfirmed: boolean;
  /** Whether that recipient still has the laundry. */
  readonly isTaken: boolean;
  /** The last position that its Duber shared. */
  readonly position: Point | null;
};

/** Facts that only some needs and causes read. */
type Special = Pick<
  DeliveryFacts,
  'isBusy' | 'hasRoom' | 'hasJustLeft' | 'isRestricted' | 'wasSaid' | 'doesSilenceCount' | 'heardAt'
> & {
  /** Whether the hand-over may go without a proof. */
  readonly needsNoProof?: boolean;
  /** Whether the laundry has come to somebody else in another way. */
  readonly hasMovedOn?: boolean;
};

/** A delivery before a step. A fact that no row of the action reads is not selected. */
export type DeliveryRecord = Present & History & Special;

type Params = [id: string, actor: string | null, now: Date];
type Placeholder = RawBuilder<unknown>;

const isOutbound = sql`d.delivery_type = 'Bud_To_Scrub'`;
const pointOf = (address: Placeholder) =>
  sql`json_build_object('latitude', (${address} ->> 'latitude')::float8, 'longitude', (${address} ->> 'longitude')::float8)`;

const PRESENT = sql`d.id, d.order_id as "orderId", d.delivery_type as type, d.status, d.attempt, d.round,
  ${isOnBoard('d')} as "hasLaundry", d.bud_id as "budId", d.scrub_id as "scrubId", d.duber_id as "duberId",
  d.carrier_id as "carrierId", d.left_by as "leftBy", d.left_at as "leftAt", d.delivered_at as "deliveredAt", d.price,
  d.paid_by as "paidBy", d.distance_m as "distanceM",
  json_build_object('latitude', d.pickup_latitude, 'longitude', d.pickup_longitude) as pickup,
  d.lost_at as "lostAt", d.due_from as "dueFrom", d.due_until as "dueUntil", last.action as "lastAction", last.at as "lastStepAt"`;

const stepOf = (condition: Placeholder, value: Placeholder, order = sql``) =>
  sql`(select ${value} from steps t where t.subject_id = d.id and ${condition} order by t.position ${order} limit 1)`;
const latest = (condition: Placeholder, value: Placeholder) => stepOf(condition, value, sql`desc`);
const TAKEN_AT = sql`coalesce(t.taken_at, t.at)`;
/** When a step was sent last that was not taken earlier: the device had a network. An offer is accepted with one. */
const LAST_HEARD = sql`(select max(t.at) from steps t
  where t.subject_id = d.id and (t.taken_at is null or t.action = 'accept-delivery'))`;

const HISTORY = sql`, json_build_object('distanceM', o.distance_m,
    -- A Bud who wanted to fetch it has not paid for a way home.
    'price', greatest(d.price, ${feeOfWay(sql`d.delivery_type`)})) as "wholeWay",
  ${pointOf(sql`(case when ${isOutbound} then o.bud_address else o.scrub_address end)`)} as origin,
  ${pointOf(sql`(case when ${isOutbound} then o.scrub_address else o.bud_address end)`)} as drop,
  coalesce(${latest(sql`t.action = 'accept-delivery'`, sql`t.at`)}, d.created_at) as "acceptedAt",
  ${stepOf(IS_ARRIVAL, sql`coalesce(t.counts_from, ${TAKEN_AT})`)} as "arrivedAt",
  coalesce(${stepOf(IS_ARRIVAL, sql`t.counts_from is not null`)}, false) as "isArrivalEarly",
  ${latest(sql`t.action in ('pickup-failed', 'drop-failed')`, sql`coalesce(t.is_proven, true)`)} as "isFailureProven",
  ${latest(sql`t.action = 'collected'`, TAKEN_AT)} as "collectedAt",
  greatest(coalesce(last.taken_at, last.at), ${LAST_HEARD}) as "lastTakenAt",
  (select count(*)::int from steps t where t.subject_id = d.id and t.action = 're-offer') as "reOffers",
  ${correctionCount} as corrections, o.status = 'Cancelled' as "isOrderCancelled", ${hasScrubGoneOn} as "hasScrubGoneOn",
  ${isConfirmedByRecipient} as "isConfirmed", ${isTaken} as "isTaken",
  (select json_build_object('latitude', p.latitude, 'longitude', p.longitude) from delivery_positions p
    where p.delivery_id = d.id and p.latitude is not null and ${isExactPosition}) as position`;

const IS_CAREFUL_ABOUT_SILENCE = (now: Placeholder) => sql`${isSilenceCareful(now)} as "doesSilenceCount"`;

/** Whether the delivery is accepted ahead: its window has not ended. */
const isForLater = (now: Placeholder) => sql`(d.due_until is not null and d.due_until > ${now}::timestamptz)`;
const ALL_OF_DUBER = sql`select d.id union all
  select a.id from deliveries a where a.duber_id = d.duber_id and a.id <> d.id and ${isUnderWay('a')}`;

/** The facts of a need. Those of the other needs are in PRESENT and HISTORY. */
const OF_NEED: Partial<
  Record<Need, (asked: { row: DeliveryRow; actor: Placeholder; now: Placeholder }) => Placeholder>
> = {
  'left-others-first': ({ actor, now }) => sql`${hasJustLeft('d', sql`${actor}::uuid`, now)} as "hasJustLeft"`,
  'not-busy': ({ row, actor, now }) => {
    const isBusy = hasUnderWay(sql`${actor}::uuid`, sql`d.id`);
    return sql`${row.action === 'accept-delivery' ? sql`(${isBusy} and not ${isForLater(now)})` : isBusy} as "isBusy"`;
  },
  'room-ahead': ({ actor, now }) => sql`(not ${isForLater(now)} or (
    select count(*) < ${sql.lit(MAX_AHEAD)}
      and count(*) filter (where a.due_from < d.due_until and d.due_from < a.due_until) < ${sql.lit(MAX_AHEAD_AT_ONCE)}
    from deliveries a where a.duber_id = ${actor}::uuid and ${isAhead('a')})) as "hasRoom"`,
  'no-restriction': ({ actor }) => sql`${isRestrictedFrom('new-work', sql`${actor}::uuid`)} as "isRestricted"`,
  proven: ({ row, now }) => sql`${needsNoProof(sql.lit(row.to), now)} as "needsNoProof"`,
  'not-said-before': ({ row }) => sql`exists (select from steps t where t.subject_id = d.id and t.attempt = d.attempt
    and t.action = ${sql.lit(row.action)}) as "wasSaid"`,
  // A Duber with another delivery under way gives signs with that delivery.
  'no-sign': () => sql`greatest((select max(t.at) from steps t where t.subject_id in (${ALL_OF_DUBER})),
    (select max(p.at) from delivery_positions p where p.delivery_id in (${ALL_OF_DUBER}))) as "heardAt"`,
};

function selectFacts(action: DeliveryStepAction, actor: Placeholder, now: Placeholder): Placeholder {
  const rows = (DELIVERY_ROWS as readonly DeliveryRow[]).filter((row) => row.action === action);
  const needs = new Map(rows.flatMap((row) => (row.needs ?? []).map((need) => [need, row] as const)));
  const special = [...needs].flatMap(([need, row]) => OF_NEED[need]?.({ row, actor, now }) ?? []);
  const watched = needs.has('silence-counts') || rows.some(startsSilence) ? [IS_CAREFUL_ABOUT_SILENCE(now)] : [];
  const moved = rows.some(({ handsOver }) => handsOver === 'recipient')
    ? [sql`(select ${HAS_MOVED_ON} from deliveries m where m.id = d.id) as "hasMovedOn"`]
    : [];
  const parts = [...special, ...watched, ...moved].map((part) => sql`, ${part}`);
  return sql`${PRESENT} ${isPlannedAction(action) ? sql`` : HISTORY} ${parts.length > 0 ? sql.join(parts, sql` `) : sql``}`;
}

const factsOf = cacheByKey((action) =>
  prepare<Params, DeliveryRecord>(
    (id, actor, now) => sql`select ${selectFacts(action as DeliveryStepAction, actor, now)}
      from deliveries d ${isPlannedAction(action) ? sql`` : sql`join orders o on o.id = d.order_id`}
        cross join lateral (select * from steps t where t.subject_id = d.id order by t.position desc limit 1) last
      where d.id = ${id}`,
    3,
  ),
);

/** The facts that an action of a delivery reads. Lock the delivery first if the action is then taken. */
export async function readDeliveryFacts(
  tx: Tx,
  { id: actorId }: Pick<StepActor, 'id'>,
  { id, action }: { readonly id: string; readonly action: DeliveryStepAction },
  now: Date,
): Promise<DeliveryRecord | undefined> {
  if (action === 'accept-delivery' && actorId !== null) await lockDuberAhead.send(tx, actorId, id);
  return factsOf(action).one(tx, id, actorId, now);
}

/** Locks a Duber who accepts a delivery for a window: what else they accept at this moment counts. */
const lockDuberAhead = prepare<[duber: string, id: string], unknown>(
  (duber, id) => sql`select u.id from users u where u.id = ${duber}
    and exists (select from deliveries d where d.id = ${id} and d.due_from is not null) for no key update`,
);

const lock = prepare<[id: string], unknown>(
  (id) => sql`select d.id from deliveries d join (select o.id from orders o
      where o.id = (select d.order_id from deliveries d where d.id = ${id}) for no key update) locked on locked.id = d.order_id
    where d.id = ${id} for no key update of d`,
);

/**
 * Locks a delivery, and its order before, as everybody does, with the next statement of the transaction. Lock both before a timer of the
 * delivery.
 */
export const lockDelivery = (tx: Tx, id: string): Promise<void> => lock.send(tx, id);
