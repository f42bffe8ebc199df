import { sql } from 'kysely';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { DuberId } from '../../domain/accounts.ts';
import type { DeliveryAction, DeliveryStatus } from '../../domain/deliveries.ts';
import { hasActiveDelivery, hasJustLeft, isoTime } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { prepare } from '../db/prepared.ts';
import { publishMovedDeliverySql } from '../events/publish.ts';
import { armSilenceSql } from './deliveryTimers.sql.ts';

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
};

/** The step, and what the rest of the transaction needs to know of its delivery. Price in cents. */
export type MovedDelivery = {
  readonly step: DeliveryStep;
  readonly orderId: string;
  readonly attempt: number;
  readonly price: number;
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

// Raw SQL, prepared: compare-and-swap, history and events are one statement (decision 036).
const moveIfUnchanged = prepare<TransitionParams, MovedDelivery>(
  (id, duber, action, from, to, now, takenAt, requestKey) => sql`with moved as (
      update deliveries d set status = ${to}, duber_id = ${duber},
          delivered_at = case when ${to}::text = 'Delivered' then ${now}::timestamptz else d.delivered_at end,
          has_laundry = case ${to}::text when 'Collected' then true when 'Delivered' then false else d.has_laundry end
        where d.id = ${id} and d.status = ${from}::text
          and case when ${from}::text = 'Pending' then not ${hasActiveDelivery(sql`${duber}::uuid`)}
            and not ${hasJustLeft('d', sql`${duber}::uuid`, now)} else d.duber_id = ${duber}::uuid end
        returning d.*),
    step as (
      insert into delivery_steps as t (delivery_id, attempt, action, status, actor_id, actor_role, created_at, taken_at,
          request_key, position)
        select m.id, m.attempt, ${action}::text, ${to}, ${duber}::uuid, 'Duber', ${now}::timestamptz, ${takenAt}::timestamptz,
          ${requestKey}::bytea,
          (select count(*) from delivery_steps p where p.delivery_id = m.id)
        from moved m returning t.*),
    ${publishMovedDeliverySql({ from, to, now })},
    armed as (${armSilenceSql(now)})
    select m.order_id as "orderId", m.attempt, m.price, json_build_object('status', t.status, 'createdAt', ${isoTime('t.created_at')},
        'takenAt', ${isoTime('t.taken_at')}, 'deliveryId', t.delivery_id) as step
      from moved m, step t`,
);

/**
 * Compare-and-swap: moves a delivery if its status is still `from`. Returns undefined when it is not, when the delivery is
 * another Duber's, or when it would be the Duber's second active one. Violates `deliveries_once_active` when a Duber takes
 * two at the same time.
 */
export function moveDelivery(
  tx: Tx,
  duber: DuberId,
  move: DeliveryTransition,
  now: Date,
): Promise<MovedDelivery | undefined> {
  const { id, action, from, to, takenAt, requestKey } = move;
  return moveIfUnchanged.one(tx, id, duber, action, from, to, now, takenAt, requestKey);
}

/** Whether a Duber may not accept a delivery now because they had it until a moment ago. */
export async function mustLetOthersFirst(tx: Tx, duber: DuberId, id: string, now: Date): Promise<boolean> {
  const row = await queryRow<{ must: boolean }>(
    tx,
    sql`select ${hasJustLeft('d', sql`${duber}::uuid`, sql`${now}`)} as must from deliveries d where d.id = ${id}`,
  );
  return row?.must ?? false;
}

/** The step that an earlier request with the same key has taken. */
export async function findDeliveryStepByKey(
  tx: Tx,
  { id, to, requestKey }: Pick<DeliveryTransition, 'id' | 'to' | 'requestKey'>,
): Promise<DeliveryStep | undefined> {
  if (requestKey === null) return undefined;
  const step = await tx
    .selectFrom('delivery_steps')
    .select(['status', 'created_at', 'taken_at'])
    .where('delivery_id', '=', id)
    .where('status', '=', to)
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
  if (!step) return undefined;
  const { status, created_at: createdAt, taken_at: takenAt } = step;
  return { status, createdAt: createdAt.toISOString(), takenAt: takenAt?.toISOString() ?? null, deliveryId: id };
}
