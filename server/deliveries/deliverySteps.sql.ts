import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { DuberId } from '../../domain/accounts.ts';
import type { DeliveryAction, DeliveryStatus, DeliveryType } from '../../domain/deliveries.ts';
import type { TripPayer } from '../../domain/orders.ts';
import { deliveryStepTime, hasActiveDelivery, hasJustLeft, isoTime } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { type Placeholders, prepare } from '../db/prepared.ts';
import { notifyDeliveredSql, publishMovedDeliverySql } from '../events/publish.ts';
import { createPinShift, replacePinsSql } from '../handovers/pins.ts';
import {
  HAS_MOVED_ON,
  type Handover,
  type HandoverReport,
  insertHandoverSql,
  NO_PROOF,
  needsNoProof,
} from '../handovers/recordHandover.ts';
import { lockPaymentSql } from '../payments/pays.ts';
import { keepAnswerSql } from '../process/requests.ts';
import { armSilenceSql, WATCHED_STATUSES } from './deliveryTimers.sql.ts';

/** A row of DELIVERY_FLOW, for one delivery. */
export type DeliveryTransition = {
  readonly id: string;
  readonly action: DeliveryAction;
  readonly from: DeliveryStatus;
  readonly to: DeliveryStatus;
  /** When the Duber's device took the step, if it sends the step later. */
  readonly takenAt: Date | null;
  /** The digest of the request's Idempotency-Key. */
  readonly requestKey: Buffer | null;
  /** The hand-over of a step with a proof; the policy decides about steps without one. */
  readonly report?: HandoverReport | undefined;
};

/** The step, and what the rest of the transaction needs to know of its delivery. Price in cents. */
export type MovedDelivery = {
  readonly step: DeliveryStep;
  readonly orderId: string;
  readonly attempt: number;
  readonly price: number;
  readonly paidBy: TripPayer | null;
  readonly scrubId: string;
  readonly deliveryType: DeliveryType;
  /** What this step wrote; null when the taker had the laundry already, or when it has moved on. */
  readonly handover: Handover | null;
};

type TransitionParams = [
  id: string,
  duber: string,
  action: string,
  from: string,
  to: string,
  now: Date,
  takenAt: Date | null,
  requestKey: Buffer | null,
];
type HandoverParams = [
  proof: string,
  isProven: boolean,
  bags: number | null,
  latitude: number | null,
  longitude: number | null,
];
type PinParams = [budShift: number, scrubShift: number];
type HandoverPlaceholders = Placeholders<HandoverParams>;
/** What is in the statement of some steps only. */
type StepParts = {
  /** Whether the step may start the clock of a silent Duber. */
  readonly startsClock?: boolean;
  readonly handover?: HandoverPlaceholders;
  /** The order has a new Duber, who gets to know other PINs than the one before. */
  readonly pins?: Placeholders<PinParams>;
  /** Whether the delivery ends with it: people are notified, and the order's payment is locked for the Duber's pay. */
  readonly arrives?: boolean;
};

const STEP_JSON = sql`json_build_object('status', t.status, 'createdAt', ${isoTime('t.created_at')},
  'takenAt', ${isoTime('t.taken_at')}, 'deliveryId', t.delivery_id)`;

// Raw SQL, prepared: compare-and-swap, history, the kept answer, events and the hand-over are one statement (decision 036).
const moveSql = (
  [id, duber, action, from, to, now, takenAt, requestKey]: Placeholders<TransitionParams>,
  { startsClock = false, handover, pins, arrives = false }: StepParts = {},
) => sql`with moved as (
      update deliveries d set status = ${to}, duber_id = ${duber},
          delivered_at = case when ${to}::text = 'Delivered' then ${now}::timestamptz else d.delivered_at end,
          has_laundry = case ${to}::text when 'Collected' then true when 'Delivered' then false else d.has_laundry end
        where d.id = ${id} and d.status = ${from}::text
          and case when ${from}::text = 'Pending' then not ${hasActiveDelivery(sql`${duber}::uuid`)}
            and not ${hasJustLeft('d', sql`${duber}::uuid`, now)} else d.duber_id = ${duber}::uuid end
          ${handover ? sql`and (${handover[1]}::boolean or ${needsNoProof(to, now)})` : sql``}
        returning d.*),
    step as (
      insert into delivery_steps as t (delivery_id, attempt, action, status, actor_id, actor_role, created_at, taken_at,
          position)
        select m.id, m.attempt, ${action}::text, ${to}, ${duber}::uuid, 'Duber', ${deliveryStepTime(sql`m.id`, now)},
          ${takenAt}::timestamptz,
          (select count(*) from delivery_steps p where p.delivery_id = m.id)
        from moved m returning t.*),
    kept as (${keepAnswerSql({ actorId: duber, requestKey, call: action, subjectId: sql`t.delivery_id`, answer: STEP_JSON, at: now }, sql`step t`)}),
    ${handover ? sql`handed as (${handOverSql(handover, { to, now, takenAt }, arrives)} returning id, position),` : sql``}
    ${publishMovedDeliverySql({ from, to, now })}
    ${pins ? sql`, replaced as (${replacePinsSql({ Bud: pins[0], Scrub: pins[1] }, now)})` : sql``}
    ${startsClock ? sql`, armed as (${armSilenceSql(now)})` : sql``}
    ${arrives ? arrivalSql(now) : sql``}
    select m.order_id as "orderId", m.attempt, m.price, m.paid_by as "paidBy", m.scrub_id as "scrubId", m.delivery_type as "deliveryType",
        ${STEP_JSON} as step,
        ${handover ? sql`(select json_build_object('id', h.id, 'position', h.position) from handed h)` : sql`null`} as handover
      from moved m, step t ${arrives ? sql`where (select count(*) from locked) >= 0` : sql``}`;

// The lock is taken after the hand-over, which may have to wait for another transaction. Nothing is locked that nobody reads.
const arrivalSql = (now: RawBuilder<unknown>) => sql`, notified as (${notifyDeliveredSql(sql`moved`, now)}),
    locked as (${lockPaymentSql(sql`select m.order_id from moved m where (select count(*) from handed) >= 0`)})`;

const handOverSql = (
  [proof, , bags, latitude, longitude]: HandoverPlaceholders,
  { to, now, takenAt }: Record<'to' | 'now' | 'takenAt', RawBuilder<unknown>>,
  arrives: boolean,
) => {
  const toScrub = sql`m.delivery_type = 'Bud_To_Scrub'`;
  const moved = sql`select m.order_id, m.round, m.id as delivery_id, m.attempt, m.bud_id,
      case when ${to}::text = 'Collected' then 'Duber' when ${toScrub} then 'Scrub' else 'Bud' end as taker_role,
      case when ${to}::text = 'Collected' then m.duber_id when ${toScrub} then m.scrub_id else m.bud_id end as taker_id
    from moved m ${arrives ? sql`where not ${HAS_MOVED_ON}` : sql``}`;
  return insertHandoverSql({ moved, proof, bags, latitude, longitude, takenAt, now });
};

const moveIfUnchanged = prepare<TransitionParams, MovedDelivery>((...step) => moveSql(step), 8);
const moveAndWatch = prepare<TransitionParams, MovedDelivery>((...step) => moveSql(step, { startsClock: true }), 8);
const acceptAndWatch = prepare<[...TransitionParams, ...PinParams], MovedDelivery>(
  (...all) => moveSql(all.slice(0, 8) as never, { startsClock: true, pins: all.slice(8) as never }),
  10,
);
const moveAndHandOver = prepare<[...TransitionParams, ...HandoverParams], MovedDelivery>(
  (...all) => moveSql(all.slice(0, 8) as never, { handover: all.slice(8) as never }),
  13,
);
const moveAndArrive = prepare<[...TransitionParams, ...HandoverParams], MovedDelivery>(
  (...all) => moveSql(all.slice(0, 8) as never, { handover: all.slice(8) as never, arrives: true }),
  13,
);

/** The statuses that the laundry changes hands with. */
const HANDS_OVER: readonly DeliveryStatus[] = ['Collected', 'Delivered'];

/**
 * Compare-and-swap: moves a delivery if its status is still `from`. Returns undefined when it is not, when the delivery is
 * another Duber's, when it would be the Duber's second active one, or when a proof is demanded and there is none. Violates
 * `deliveries_once_active` when a Duber takes two at the same time. With `Delivered` the order's payment is locked.
 */
export function moveDelivery(
  tx: Tx,
  duber: DuberId,
  move: DeliveryTransition,
  now: Date,
): Promise<MovedDelivery | undefined> {
  const { id, action, from, to, takenAt, requestKey, report } = move;
  const step: TransitionParams = [id, duber, action, from, to, now, takenAt, requestKey];
  if (from === 'Pending') return acceptAndWatch.one(tx, ...step, createPinShift(), createPinShift());
  if (WATCHED_STATUSES.includes(to)) return moveAndWatch.one(tx, ...step);
  if (!HANDS_OVER.includes(to)) return moveIfUnchanged.one(tx, ...step);
  const { proof, bags, place } = report ?? NO_PROOF;
  const isProven = report !== undefined;
  const statement = to === 'Delivered' ? moveAndArrive : moveAndHandOver;
  return statement.one(tx, ...step, proof, isProven, bags, place?.latitude ?? null, place?.longitude ?? null);
}

/** Whether a Duber may not accept a delivery now because they had it until a moment ago. */
export async function mustLetOthersFirst(tx: Tx, duber: DuberId, id: string, now: Date): Promise<boolean> {
  const row = await queryRow<{ must: boolean }>(
    tx,
    sql`select ${hasJustLeft('d', sql`${duber}::uuid`, sql`${now}`)} as must from deliveries d where d.id = ${id}`,
  );
  return row?.must ?? false;
}
