import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import type { PinSide, Proof } from '../../domain/handovers.ts';
import type { Point } from '../../domain/places.ts';
import type { Tx } from '../db/database.ts';
import { ask, type Late } from '../db/driver.ts';
import { isProofCareful } from '../town/policies.sql.ts';

// Raw SQL: a hand-over is part of the statement of its step, and its giver is the one who took last.

/** What a step says of the hand-over that it makes. */
export type HandoverReport = { readonly proof: Proof; readonly bags: number | null; readonly place: Point | null };
const NO_PROOF: HandoverReport = { proof: 'none', bags: null, place: null };

export type Handover = { readonly id: string; readonly position: number };

/** The last hand-over of an order; without one its Bud has the laundry. */
const lastOf = (orderId: RawBuilder<unknown>) =>
  sql`(select h.position, h.taker_role, h.taker_id, h.delivery_id, h.at from handovers h
    where h.order_id = ${orderId} order by h.position desc limit 1)`;

/** The last hand-over of `deliveries d`, also when the laundry has moved on since. */
const LAST_OF_DELIVERY = sql`(select h.position, h.taker_role, h.proof from handovers h
    where h.order_id = d.order_id and h.delivery_id = d.id order by h.position desc limit 1)`;

/**
 * Whether the laundry of the delivery `m` has come to somebody in another way, who has it: the Duber says late that they
 * delivered it. Not when the Duber has said since that they still have it, as with laundry that was lost and found.
 */
export const HAS_MOVED_ON: RawBuilder<boolean> = sql`exists (select from ${lastOf(sql`m.order_id`)} last
    where last.delivery_id is distinct from m.id and last.taker_role <> 'Duber'
      and not exists (select from steps t where t.subject_id = m.id and t.action = 'try-again'
        and coalesce(t.taken_at, t.at) > last.at))`;

/**
 * Whether the step of `deliveries d` to the status `to` may be taken without a proof: the policy does not ask for one, or its
 * laundry was with the recipient before, or is.
 */
export const needsNoProof = (to: RawBuilder<unknown>, now: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(not ${isProofCareful(now)} or case when ${to}::text = 'Collected' then ${isHeldByDuber} else ${hasReachedRecipient} end)`;

/** Who takes the laundry of `deliveries d` where its Duber brings it: on the way back, the one who gave it. */
export const recipientRole = sql<PinSide>`case when (d.delivery_type = 'Bud_To_Scrub') <> (d.status = 'Way_Back') then 'Scrub' else 'Bud' end`;

/**
 * Whether the last hand-over of `deliveries d` was to the one whom its Duber brings the laundry to: they pressed first, or it
 * was delivered before, was lost and is found.
 */
export const hasReachedRecipient: RawBuilder<boolean> = sql`coalesce((select last.taker_role = ${recipientRole}
  from ${LAST_OF_DELIVERY} last), false)`;

/** Whether the recipient of the last hand-over of `deliveries d` has said on their own phone that they have the laundry. */
export const isConfirmedByRecipient: RawBuilder<boolean> = sql`coalesce((select last.taker_role <> 'Duber'
    and (last.proof = 'taker-pressed' or exists (select from handover_confirmations c
      where c.order_id = d.order_id and c.position = last.position))
  from ${LAST_OF_DELIVERY} last), false)`;

/**
 * Whether the recipient is the one to whom its Duber brings it now, and still has it: nobody else took laundry of the order since, and
 * the Duber has not gone on with it since, which the town makes possible where the recipient pressed by mistake.
 */
export const isTaken: RawBuilder<boolean> = sql`(${isConfirmedByRecipient} and ${hasReachedRecipient}
  and (select last.delivery_id is not distinct from d.id and not exists (select from steps t
      where t.subject_id = d.id and t.action in ('try-again', 'bring-back')
        and coalesce(t.taken_at, t.at) > last.at)
    from ${lastOf(sql`d.order_id`)} last))`;

/** Whether the Duber of `deliveries d` has its laundry already: they go on with what they could not go on with before. */
export const isHeldByDuber: RawBuilder<boolean> = sql`coalesce((select held.holder_id = d.duber_id from orders held
  where held.id = d.order_id), false)`;

export type NewHandover = {
  readonly orderId: string;
  /** By default it belongs to the present round of the order. */
  readonly delivery?: { readonly id: string; readonly attempt: number; readonly round?: number };
  readonly recipient: { readonly role: Role; readonly id: string };
  /** Only from whom; without it from the one who has the laundry. */
  readonly from?: Role;
  readonly report?: HandoverReport;
  readonly takenAt?: Date | null;
};

/** Asks for a hand-over to be inserted. Its recipient is the holder in the order, by the same statement. */
async function append(tx: Tx, insert: RawBuilder<unknown>): Promise<Late<Handover | undefined>> {
  const rows = await ask(
    tx,
    sql<Handover>`with handed as (${insert} returning *),
      held as (update orders o set holder_role = h.taker_role, holder_id = h.taker_id, holder_delivery = h.delivery_id,
          held_since = coalesce(h.taken_at, h.at)
        from handed h where o.id = h.order_id)
      select id, position from handed`,
  );
  return async () => (await rows())[0];
}

/**
 * Writes that the laundry of an order changed hands, in the transaction of the step that says so, which has locked the order. The one
 * who has the laundry gives it, also when a step was pressed early and the giver should be somebody else. The answer is late, and
 * undefined when the recipient has it already, or when it is not with `from`.
 */
export function recordHandover(tx: Tx, handover: NewHandover, at: Date): Promise<Late<Handover | undefined>> {
  const { orderId, delivery, recipient, from = null, report = NO_PROOF, takenAt = null } = handover;
  const { bags, proof, place } = report;
  return append(
    tx,
    sql`insert into handovers (order_id, position, follows, round, delivery_id, attempt, giver_role, giver_id, taker_role,
        taker_id, bags, proof, latitude, longitude, taken_at, at)
      select o.id, coalesce(last.position, 0) + 1, last.position, coalesce(${delivery?.round ?? null}::integer, o.round),
        ${delivery?.id ?? null}::uuid, ${delivery?.attempt ?? null}::integer, o.holder_role,
        o.holder_id, ${recipient.role}::text, ${recipient.id}::uuid, ${bags}::integer, ${proof}::text,
        ${place?.latitude ?? null}::float8, ${place?.longitude ?? null}::float8, ${takenAt}::timestamptz, ${at}::timestamptz
      from orders o left join lateral ${lastOf(sql`o.id`)} last on true
      where o.id = ${orderId} and ${recipient.id}::uuid <> o.holder_id
        and (${from}::text is null or ${from}::text = o.holder_role)`,
  );
}

/**
 * Takes the last hand-over of a delivery back, because its step was a mistake: the laundry is again with the one who gave it.
 * With `attempt`, only when that attempt made it: a Duber who accepts their own relayed delivery again has had the laundry all
 * the time. Undefined when it has changed hands since, which stays.
 */
export async function takeBackHandover(
  tx: Tx,
  { orderId, deliveryId, attempt = null }: { orderId: string; deliveryId: string; attempt?: number | null },
  at: Date,
): Promise<Handover | undefined> {
  const handover = await append(
    tx,
    sql`insert into handovers (order_id, position, follows, round, delivery_id, attempt, giver_role, giver_id,
      taker_role, taker_id, bags, proof, takes_back, at)
    select h.order_id, h.position + 1, h.position, h.round, h.delivery_id, h.attempt, h.taker_role, h.taker_id,
      h.giver_role, h.giver_id, h.bags, 'none', h.position, ${at}::timestamptz
    from (select * from handovers h where h.order_id = ${orderId} order by h.position desc limit 1) h
    where h.delivery_id = ${deliveryId} and h.takes_back is null
      and (${attempt}::integer is null or h.attempt = ${attempt}::integer)`,
  );
  return handover();
}
