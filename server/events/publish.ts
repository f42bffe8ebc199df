import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { OrderStep } from '../../contract/orders.ts';
import type { CaseStatus } from '../../domain/cases.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { bandOf, type Point } from '../../domain/places.ts';
import { PLACED } from '../../domain/process/order.ts';
import type { OrderNotice } from '../../domain/process/row.ts';
import { isActiveDelivery } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { send } from '../db/driver.ts';
import { deleteNotices, insertNotificationsSql, queueNearbyNotice } from '../notifications/queueNotifications.sql.ts';

// Everything that notifies people of a step: events for open screens, and notifications by mail and push. All of it is
// written in the transaction of the step. Raw SQL: one statement finds the people of an order, and is part of others.

type DeliveryChange = Omit<DeliveryStep, 'takenAt'>;

/**
 * Parts of a `with` that write a row for each row `(people, entity, entity_id, status, at, latitude, longitude, band)` of
 * `events`: it is for the people, and for the Dubers near the place, if there is one.
 */
const insertEventsSql = (events: RawBuilder<unknown>): RawBuilder<unknown> => sql`new_events as (
      insert into live_events (people, entity, entity_id, status, at, latitude, longitude, band) ${events} returning id)`;

const NO_PLACE = sql`null::float8, null::float8, null::integer`;
type OrderRole = 'Bud' | 'Scrub';
const COLUMNS = { Bud: sql`o.bud_id`, Scrub: sql`o.scrub_id` };
const peopleOfOrder = (roles: readonly OrderRole[]) => sql`array[${sql.join(roles.map((role) => COLUMNS[role]))}]`;
const PEOPLE_OF_ORDER = peopleOfOrder(['Bud', 'Scrub']);
/** The Dubers of an order `o` who can go on with it now. */
const DUBERS = sql`array(select d.duber_id from deliveries d where d.order_id = o.id and ${isActiveDelivery('d')}
  union select o.holder_id where o.holder_role = 'Duber')`;
const peopleOfDelivery = (d: RawBuilder<unknown>) =>
  sql`array_remove(array[${d}.bud_id, ${d}.scrub_id, ${d}.duber_id], null)`;

/** `also` are more parts of the `with` of the statement. */
const insertEvents = (tx: Tx, events: RawBuilder<unknown>, also: RawBuilder<unknown> = sql``) =>
  send(tx, sql`with ${insertEventsSql(events)}${also} select from new_events`);

/** Publishes a new order. These are the parts of the `with` of the statement that inserts it as `placed`. */
export const publishPlacedOrderSql = (now: RawBuilder<unknown>): RawBuilder<unknown> => {
  const people = sql`placed o cross join lateral unnest(${peopleOfOrder(PLACED.notifies.to)}) person`;
  return sql`${insertEventsSql(
    sql`select ${PEOPLE_OF_ORDER}, 'order', o.id, o.status, o.created_at, ${NO_PLACE} from placed o`,
  )}, order_notifications as (${insertNotificationsSql(PLACED.notifies.kind, sql`select person, o.id from ${people}`, now)})`;
};

/** The people whose screens a step of an order updates (by default the Bud and the Scrub), and the notice that it sends. */
export type OrderReaders = {
  readonly tells?: readonly OrderRole[] | undefined;
  readonly notifies?: OrderNotice | undefined;
};

/**
 * Publishes a step of an order, or that it has something new to show although its status is the same. Without a status, it is the
 * stored one, which nobody can change before the transaction has ended.
 */
export async function publishOrderUpdate(
  tx: Tx,
  { orderId, status, createdAt }: Omit<OrderStep, 'status'> & { readonly status?: OrderStatus },
  { tells, notifies }: OrderReaders = {},
): Promise<void> {
  const [shown, lock] = status === undefined ? [sql`o.status`, sql`for share`] : [sql`${status}::text`, sql``];
  await insertEvents(
    tx,
    sql`select ${tells ? peopleOfOrder(tells) : PEOPLE_OF_ORDER}, 'order', o.id, ${shown}, ${createdAt}::timestamptz, ${NO_PLACE}
      from orders o where o.id = ${orderId} ${lock}`,
    notifies && noticesOfOrderSql(notifies, orderId, createdAt),
  );
}

function noticesOfOrderSql({ kind, to }: OrderNotice, orderId: string, at: string): RawBuilder<unknown> {
  const ofOrder = peopleOfOrder(to.filter((role) => role !== 'Duber'));
  const people = sql`select person, o.id from orders o
    cross join lateral unnest(${to.includes('Duber') ? sql`${ofOrder} || ${DUBERS}` : ofOrder}) person
    where o.id = ${orderId}`;
  return sql`, order_notifications as (${insertNotificationsSql(kind, people, sql`${at}`)})`;
}

/** Publishes to the Scrub who gave an order back: for them it is over. */
export async function publishOrderGone(tx: Tx, { orderId, createdAt }: OrderStep, scrubId: string): Promise<void> {
  await insertEvents(
    tx,
    sql`select array[${scrubId}::uuid], 'order', ${orderId}::uuid, 'Rejected', ${createdAt}::timestamptz, ${NO_PLACE}`,
  );
}

/** Publishes a delivery that waits for a Duber, also to the Dubers near its pickup. */
export async function publishNewDelivery(tx: Tx, step: DeliveryChange, pickup: Point): Promise<void> {
  const { deliveryId, status, createdAt } = step;
  const { latitude, longitude } = pickup;
  // One row, however many Dubers there are: each reader finds out which of its streams are concerned.
  await insertEvents(
    tx,
    sql`select ${peopleOfDelivery(sql`d`)}, 'delivery', d.id, ${status}::text, ${createdAt}::timestamptz,
        ${latitude}::float8, ${longitude}::float8, ${bandOf(latitude)}::integer
      from deliveries d where d.id = ${deliveryId}`,
  );
  await queueNearbyNotice(tx, deliveryId, pickup, new Date(createdAt));
}

/**
 * Publishes a step of a delivery to its people, and to the Dubers nearby when it begins or ends to wait. These are the parts of
 * the `with` of the statement that updates the delivery as `moved`.
 */
export const publishMovedDeliverySql = ({
  from,
  to,
  now,
  formerDuber = sql`null`,
}: Record<'from' | 'to' | 'now', RawBuilder<unknown>> & {
  /** The Duber who had it before the step, if they no longer have it. */
  formerDuber?: RawBuilder<unknown>;
}): RawBuilder<unknown> => {
  const people = sql`array_remove(array[m.bud_id, m.scrub_id, m.duber_id, ${formerDuber}::uuid], null)`;
  const isOffered = sql`${from}::text = 'Pending' or ${to}::text = 'Pending'`;
  const whenOffered = (column: RawBuilder<unknown>) => sql`case when ${isOffered} then m.${column} end`;
  return insertEventsSql(sql`select ${people}, 'delivery', m.id, ${to}::text, ${now}::timestamptz,
    ${whenOffered(sql`pickup_latitude`)}, ${whenOffered(sql`pickup_longitude`)}, ${whenOffered(sql`pickup_band`)} from moved m`);
};

/**
 * Notifies the Dubers near its pickup that a delivery waits again, also those who were notified before. Its events are part of
 * the statement that moves it.
 */
export async function publishReOffer(tx: Tx, deliveryId: string, pickup: Point, at: Date): Promise<void> {
  await deleteNotices(tx, deliveryId, ['nearby']);
  await queueNearbyNotice(tx, deliveryId, pickup, at);
}

/**
 * Publishes to its Bud, Scrub and, once there is one, Duber that a delivery has something new to show. Nobody can change its status
 * before the transaction has ended. Sends no notification.
 */
export async function publishDeliveryUpdate(
  tx: Tx,
  { deliveryId, createdAt }: Omit<DeliveryChange, 'status'>,
): Promise<void> {
  await insertEvents(
    tx,
    sql`select ${peopleOfDelivery(sql`d`)}, 'delivery', d.id, d.status, ${createdAt}::timestamptz, ${NO_PLACE}
      from deliveries d where d.id = ${deliveryId} for share`,
  );
}

/** Publishes a case to the people who may read it. */
export async function publishCaseStep(tx: Tx, step: { id: string; status: CaseStatus; at: Date }): Promise<void> {
  const people = sql`(select coalesce(array_agg(p.user_id), '{}') from case_people p where p.case_id = c.id)`;
  await insertEvents(
    tx,
    sql`select ${people}, 'case', c.id, ${step.status}::text, ${step.at}::timestamptz, ${NO_PLACE}
      from cases c where c.id = ${step.id}`,
  );
}

/**
 * Publishes to the Bud and the Scrub that the Duber of a delivery has a new position. The event replaces the one before
 * and does not contain the position, so that no trail is stored: readers look up the latest.
 */
export async function publishPosition(tx: Tx, deliveryId: string, at: Date): Promise<void> {
  await send(tx, tx.deleteFrom('live_events').where('entity', '=', 'position').where('entity_id', '=', deliveryId));
  await insertEvents(
    tx,
    sql`select array[d.bud_id, d.scrub_id], 'position', d.id, null::text, ${at}::timestamptz, ${NO_PLACE}
      from deliveries d where d.id = ${deliveryId}`,
  );
}
