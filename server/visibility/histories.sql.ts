import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { DELIVERY_EXCEPTIONS } from '../../domain/process/delivery.ts';
import { ORDER_EXCEPTIONS } from '../../domain/process/order.ts';
import { WEIGHING_ROWS } from '../../domain/process/weighing.ts';
import type { Actor } from '../../domain/workflow.ts';
import { columnsOf, literals } from '../db/columns.sql.ts';
import { fromColumns, type Json, list, object, orNull, quoted, raw, text, time, toSql } from '../db/json.sql.ts';
import type { Viewer } from '../db/lists.sql.ts';
import { joinShared } from '../db/sharedColumns.sql.ts';
import { isStepVisible } from './situations.sql.ts';
import { canScrubSeePhotos, isViewersRound } from './viewRules.sql.ts';

// The histories of `orders o` and `deliveries d` as far as a viewer sees them.

const step = columnsOf('steps', 't');
const order = columnsOf('orders', 'o');
const delivery = columnsOf('deliveries', 'd');

/** The attempt of a delivery, or the round of an order. */
const ATTEMPT = sql<number>`t.attempt`;

/** The actions of some rows, each once, for `in (…)`. */
const actionsOf = (rows: readonly { readonly action: string }[]) =>
  literals([...new Set(rows.map(({ action }) => action))]);

/** An arrival keeps the status, so it is not in the history of a delivery. */
const IS_NEW_DELIVERY_STATUS = sql`(t.action is null or t.action not in ('arrived-at-pickup', 'arrived-at-drop'))`;
/**
 * Whether a step `t` is one of these actions. As `coalesce`, because the unique index of a step's action would be searched once
 * for each of them; all steps of an order or a delivery are read at once.
 */
const isOneOf = (rows: Parameters<typeof actionsOf>[0]): RawBuilder<boolean> =>
  sql`coalesce(t.action in (${actionsOf(rows)}), false)`;

const UNPLANNED_ORDER_STEPS = [...ORDER_EXCEPTIONS, ...WEIGHING_ROWS];
const MOVING = UNPLANNED_ORDER_STEPS.filter(({ from, to }) => from !== to).map(({ action }) => action as string);
const STAYING = UNPLANNED_ORDER_STEPS.filter(({ from, to }) => from === to);
/**
 * Steps `t` that leave the status as it is are no part of its history. Those of some actions do so only sometimes: an operator
 * takes an order also from a Scrub who has not accepted it.
 */
const IS_NEW_ORDER_STATUS = sql`(t.action is null
  or t.action not in (${actionsOf(STAYING.filter(({ action }) => !MOVING.includes(action)))})
    and (t.action not in (${actionsOf(STAYING.filter(({ action }) => MOVING.includes(action)))})
      or not exists (select from steps p where p.subject_id = t.subject_id and p.position = t.position - 1 and p.status = t.status)))`;

export const IS_DELIVERY_EXCEPTION = isOneOf(DELIVERY_EXCEPTIONS);
const IS_ORDER_EXCEPTION = isOneOf(ORDER_EXCEPTIONS);

const ifUnplanned = <T>(isUnplanned: RawBuilder<boolean>, column: RawBuilder<T>) =>
  sql<T | null>`case when ${isUnplanned} then ${column} end`;

const visibleSteps = (viewer: Viewer, condition: RawBuilder<unknown>) =>
  sql`(${condition} and ${isStepVisible(viewer)})`;

/** The steps `t` that a condition lets through, oldest first. */
type StepList<T> = { readonly item: Json<T>; readonly condition: RawBuilder<unknown> };
type StepLists = Readonly<Record<string, StepList<unknown>>>;
type Once = { readonly table: 'os' | 'ds'; readonly subject: RawBuilder<unknown> };
const OF_ORDER: Once = { table: 'os', subject: order('id') };
const OF_DELIVERY: Once = { table: 'ds', subject: delivery('id') };

/**
 * Reads the steps of a subject once for all lists of an answer, as the columns of a lateral join. Unused lists are not written; when
 * all are unused, the steps are not read.
 */
function joinSteps({ table, subject }: Once, lists: StepLists): RawBuilder<unknown> {
  const columns = Object.entries(lists).map(([name, { item, condition }]) => [
    name,
    sql`concat('[', string_agg(${toSql(item)}, ',') filter (where ${condition}), ']')`,
  ]);
  return joinShared({
    table,
    columns: Object.fromEntries(columns),
    // An aggregate of sorted rows has their order.
    write: (used) => sql`left join lateral (select ${used} from
      (select * from steps t where t.subject_id = ${subject} order by t.position) t) ${sql.id(table)} on true`,
  });
}

/** The JSON of a column of joinSteps. A list with only some properties is read by itself. */
const fromLists =
  <L extends StepLists>({ table, subject }: Once, lists: L) =>
  <K extends keyof L & string>(name: K): L[K] extends StepList<infer T> ? Json<T[]> : never => {
    const { item, condition } = lists[name] as StepList<unknown>;
    const whole = list(item, sql`t.position`, sql`steps t where t.subject_id = ${subject} and ${condition}`);
    return fromColumns(table, name, whole) as never;
  };

/** Reasons are visible to the people of the order, and to the Duber who gave them. */
function visibleReason<T>(viewer: Viewer, column: RawBuilder<T>): RawBuilder<T> {
  if (viewer.role !== 'Duber') return inViewersRound(viewer, delivery('round'), column);
  return sql<T>`case when t.actor_id = ${viewer.id}::uuid and t.actor_role = 'Duber' then ${column} end`;
}

/** The photos of a step, for everyone who reads its reason, until they are erased. A Scrub sees them as those of hand-overs. */
function visibleFileIds(viewer: Viewer): Json<string[]> {
  const isSeen = viewer.role === 'Scrub' ? canScrubSeePhotos(viewer, delivery('round')) : sql<boolean>`true`;
  return list(
    quoted(sql<string>`f.id`),
    sql`f.id`,
    sql`files f where f.id = any(${visibleReason(viewer, step('file_ids'))}) and f.kept_at is not null and f.gone_at is null
      and ${isSeen}`,
  );
}

/** A column of something in a round of `orders o`; null when the round is not the viewer's. */
export function inViewersRound<T>(viewer: Viewer, round: RawBuilder<number>, column: RawBuilder<T>): RawBuilder<T> {
  const isTheirs = isViewersRound(viewer, round);
  return isTheirs ? sql<T>`case when ${isTheirs} then ${column} end` : column;
}

const deliveryStepProperties = {
  status: quoted(sql<DeliveryStatus>`t.status`),
  createdAt: time(step('at')),
  takenAt: orNull(time, step('taken_at')),
  deliveryId: quoted(step('subject_id')),
};

function deliveryLists(viewer: Viewer) {
  const reason = visibleReason(viewer, step('reason'));
  return {
    history: { item: object(deliveryStepProperties), condition: visibleSteps(viewer, IS_NEW_DELIVERY_STATUS) },
    /** The same with what the steps say that were not planned. */
    steps: {
      item: object({
        ...deliveryStepProperties,
        action: orNull(quoted, ifUnplanned(IS_DELIVERY_EXCEPTION, sql<string>`t.action`)),
        reason: orNull(text, ifUnplanned(IS_DELIVERY_EXCEPTION, reason)),
      }),
      condition: visibleSteps(viewer, IS_NEW_DELIVERY_STATUS),
    },
    exceptions: {
      item: object({
        action: quoted(sql<string>`t.action`),
        status: quoted(sql<DeliveryStatus>`t.status`),
        attempt: raw(ATTEMPT),
        by: quoted(sql<Actor>`t.actor_role`),
        reason: orNull(text, reason),
        words: orNull(text, visibleReason(viewer, step('words'))),
        fileIds: visibleFileIds(viewer),
        createdAt: time(step('at')),
        takenAt: orNull(time, step('taken_at')),
        countsFrom: orNull(time, step('counts_from')),
      }),
      condition: visibleSteps(viewer, IS_DELIVERY_EXCEPTION),
    },
  } satisfies StepLists;
}

/** Joins what is read of the steps of `deliveries d`. */
export const joinDeliverySteps = (viewer: Viewer): RawBuilder<unknown> => joinSteps(OF_DELIVERY, deliveryLists(viewer));
export const deliveryListJson = (viewer: Viewer) => fromLists(OF_DELIVERY, deliveryLists(viewer));

const orderStepProperties = {
  status: quoted(sql<OrderStatus>`t.status`),
  createdAt: time(step('at')),
  orderId: quoted(step('subject_id')),
};

const orderLists = (viewer: Viewer) =>
  ({
    history: { item: object(orderStepProperties), condition: IS_NEW_ORDER_STATUS },
    /** The same with what the steps say that were not planned. */
    steps: {
      item: object({
        ...orderStepProperties,
        action: orNull(quoted, ifUnplanned(IS_ORDER_EXCEPTION, sql<string>`t.action`)),
        by: orNull(quoted, ifUnplanned(IS_ORDER_EXCEPTION, sql<Actor>`t.actor_role`)),
      }),
      condition: IS_NEW_ORDER_STATUS,
    },
    exceptions: {
      item: object({
        action: quoted(sql<string>`t.action`),
        status: quoted(sql<OrderStatus>`t.status`),
        round: raw(ATTEMPT),
        by: quoted(sql<Actor>`t.actor_role`),
        reason: orNull(text, inViewersRound(viewer, ATTEMPT, step('reason'))),
        words: orNull(text, inViewersRound(viewer, ATTEMPT, step('words'))),
        createdAt: time(step('at')),
      }),
      condition: IS_ORDER_EXCEPTION,
    },
  }) satisfies StepLists;

/** Joins what is read of the steps of `orders o`. */
export const joinOrderSteps = (viewer: Viewer): RawBuilder<unknown> => joinSteps(OF_ORDER, orderLists(viewer));
export const orderListJson = (viewer: Viewer) => fromLists(OF_ORDER, orderLists(viewer));
