import { type RawBuilder, sql } from 'kysely';
import type { OrderStep } from '../../contract/orders.ts';
import type { OrderStatus, OrderStepAction } from '../../domain/orders.ts';
import type { Actor } from '../../domain/workflow.ts';
import { isoTime, orderStepTime } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { isStartCareful } from '../town/policies.sql.ts';
import { CALLED_OFF_OUTBOUND } from './orderFacts.sql.ts';
import { type OrderActor, ownedBy } from './orders.sql.ts';
import { startedTimersSql } from './orderTimers.sql.ts';

/** A row of ORDER_FLOW or ORDER_EXCEPTIONS, for one order. */
export type OrderTransition = {
  readonly id: string;
  readonly action: OrderStepAction;
  readonly from: OrderStatus;
  readonly to: OrderStatus;
  /** Its step ends the round. */
  readonly startsOver?: true;
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
};

/** What only some steps have in their statement. */
type StepParts = {
  /** Whether it is taken only where the town's policy lets Scrubs press before the laundry is there. */
  readonly isEarly?: boolean;
  /** The part of the `with` that makes the PINs of the round that begins with it. */
  readonly pins?: RawBuilder<unknown>;
};

export type MovedOrder = {
  readonly step: OrderStep;
  /** Whether an order starts without a Duber who brings the laundry. The Bud has said so, or the delivery was called off. */
  readonly isBroughtByBud: boolean;
};

type StepBy = { readonly scope: RawBuilder<unknown>; readonly actorId: string | null; readonly actorRole: Actor };

/** An order that was given back is no longer its Scrub's to answer. */
const scopeOf = (actor: OrderActor) => {
  if (actor.role === 'Operator') return sql`true`;
  return actor.role === 'Scrub' ? sql`${ownedBy(actor)} and o.given_back_at is null` : ownedBy(actor);
};

/** Compare-and-swap: moves the actor's order if its status is still `from`. Returns undefined otherwise. */
export async function moveOrder(
  tx: Tx,
  actor: OrderActor,
  move: OrderTransition,
  now: Date,
): Promise<OrderStep | undefined> {
  return (await moveOrderWith(tx, actor, { ...move, parts: {} }, now))?.step;
}

/** The same, with the parts that the statement of the step has besides. */
export function moveOrderWith(
  tx: Tx,
  actor: OrderActor,
  move: OrderTransition & { readonly parts: StepParts },
  now: Date,
): Promise<MovedOrder | undefined> {
  const { parts, ...transition } = move;
  const mayBeEarly = parts.isEarly ? sql`and not ${isStartCareful(sql`${now}`)}` : sql``;
  const by = { scope: sql`${scopeOf(actor)} ${mayBeEarly}`, actorId: actor.id, actorRole: actor.role };
  return insertOrderStep(tx, by, transition, now, parts.pins);
}

/** Compare-and-swap by the server itself, for any order that `scope` allows. */
export async function moveOrderBySystem(
  tx: Tx,
  move: OrderTransition,
  now: Date,
  scope: RawBuilder<unknown> = sql`true`,
): Promise<OrderStep | undefined> {
  return (await insertOrderStep(tx, { scope, actorId: null, actorRole: 'System' }, move, now))?.step;
}

const completedAt = ({ action, from, to }: OrderTransition, now: Date): RawBuilder<unknown> => {
  if (action === 'reopen') return sql`null`;
  return to === 'Completed' && from !== to ? sql`${now}::timestamptz` : sql`o.completed_at`;
};

// Raw SQL: the move, its history, its timers and its PINs are one statement, so that none exists without the others.
function insertOrderStep(
  tx: Tx,
  { scope, actorId, actorRole }: StepBy,
  move: OrderTransition,
  now: Date,
  pins?: RawBuilder<unknown>,
) {
  const { id, action, from, to, startsOver, reason = null, words = null } = move;
  const rounds = sql.lit(startsOver ? 1 : 0);
  const isBroughtByBud = sql`m.self_delivery or ${CALLED_OFF_OUTBOUND}`;
  return queryRow<MovedOrder>(
    tx,
    sql`with moved as (update orders o set status = ${to}, completed_at = ${completedAt(move, now)},
          round = o.round + ${rounds}
        where o.id = ${id} and o.status = ${from} and ${scope} returning o.id, o.round - ${rounds} as round, o.self_delivery),
      step as (insert into order_steps (order_id, round, action, status, actor_id, actor_role, reason, words, created_at,
          position)
        select m.id, m.round, ${action}::text, ${to}, ${actorId}::uuid, ${actorRole}::text, ${reason}::text, ${words}::text,
          ${orderStepTime(sql`m.id`, sql`${now}`)},
          (select count(*) from order_steps p where p.order_id = m.id)
        from moved m returning *)${startedTimersSql(action)}${pins ? sql`, pins_of_round as (${pins})` : sql``}
      select json_build_object('status', t.status, 'createdAt', ${isoTime('t.created_at')}, 'orderId', t.order_id) as step,
          ${action === 'start-order' ? isBroughtByBud : sql`false`} as "isBroughtByBud"
        from moved m, step t`,
  );
}
