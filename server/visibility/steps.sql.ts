import { type RawBuilder, sql } from 'kysely';
import type { DeliveryDetails } from '../../contract/deliveries.ts';
import type { Order } from '../../contract/orders.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { DELIVERY_FLOW } from '../../domain/process/delivery.ts';
import type { DeliverySituation } from '../../domain/process/situation.ts';
import type { Actor } from '../../domain/workflow.ts';
import { columnsOf, literals } from '../db/columns.sql.ts';
import {
  bool,
  firstOrNull,
  ifPresent,
  type Json,
  type JsonProperties,
  list,
  object,
  orNull,
  quoted,
  text,
} from '../db/json.sql.ts';
import type { Viewer } from '../db/lists.sql.ts';
import { deliveryListJson, IS_DELIVERY_EXCEPTION, inViewersRound, orderListJson } from './histories.sql.ts';
import { deliveryOf, HAS_LEFT_PLAN, isStepVisible, isUnplannedSituation } from './situations.sql.ts';
import { IS_CALLED_OFF, isViewersRound } from './viewRules.sql.ts';

// What the page of one order or one delivery says of its steps, so that no screen searches a history for it.

const order = columnsOf('orders', 'o');
const delivery = columnsOf('deliveries', 'd');

/** The steps that can have led to the present state of an order, by its status. */
const CHANGES = {
  Cancelled: ['cancel-accepted', 'cancel-by-operator'],
  In_Progress: ['reopen'],
  Requested: ['give-back'],
} as const satisfies Partial<Record<OrderStatus, readonly string[]>>;

// The status alone says first whether any step has to be read.
const HAS_LED_HERE = sql`o.status in (${literals(Object.keys(CHANGES))}) and (${sql.join(
  Object.entries(CHANGES).map(
    ([status, actions]) => sql`(o.status = ${sql.lit(status)}
    and coalesce(t.action in (${literals(actions)}), false))`,
  ),
  sql` or `,
)}) and (o.status <> 'Requested' or o.given_back_at is not null)`;

/** What the person wrote who cancelled an order, gave it back or reopened it, as long as the order is in that state. */
function changeWordsJson(viewer: Viewer): Json<Order['changeWords']> {
  const last = sql`(select t.actor_role, t.attempt, t.words from steps t where t.subject_id = o.id and ${HAS_LED_HERE}
    order by t.position desc limit 1) t`;
  const words = inViewersRound(viewer, sql<number>`t.attempt`, sql<string>`t.words`);
  return firstOrNull(
    object({ by: quoted(sql<Actor>`t.actor_role`), words: text(words) }),
    sql`${last} where ${words} is not null`,
  );
}

const FAILED: readonly DeliverySituation[] = ['not-collected', 'not-taken', 'way-back', 'brought-back'];

/** What a Duber wrote about a pickup or a drop-off that failed, until the delivery is offered again. */
function failureWordsJson(viewer: Viewer): Json<Order['failureWords']> {
  const words = inViewersRound(viewer, delivery('round'), sql<string>`t.words`);
  const last = sql`(select d.* from deliveries d where d.order_id = o.id and d.round = o.round
    and ${isUnplannedSituation(viewer, FAILED)} order by d.created_at desc, d.id desc limit 1) d`;
  const failure = sql`lateral (select * from steps t where t.subject_id = d.id and t.attempt = d.attempt
    and coalesce(t.action in ('pickup-failed', 'drop-failed'), false) order by t.position desc limit 1) t`;
  return firstOrNull(
    object({ deliveryId: quoted(delivery('id')), words: text(words) }),
    sql`${last}, ${failure} where not ${IS_CALLED_OFF} and t.actor_role = 'Duber' and ${words} is not null`,
  );
}

/** What an operator wrote with the last step of a delivery, while nothing has happened to it since. A Duber does not read it. */
const townWords = (viewer: Viewer): RawBuilder<string | null> =>
  viewer.role === 'Duber'
    ? sql<string | null>`null::text`
    : sql<string | null>`(select ${inViewersRound(viewer, delivery('round'), sql<string | null>`t.words`)}
        from (select * from steps t where t.subject_id = d.id order by t.position desc limit 1) t
        where t.actor_role = 'Operator' and ${IS_DELIVERY_EXCEPTION})`;

/** The same about the delivery that an order has now. */
const townWordsOfOrder = (viewer: Viewer) => sql<string | null>`(case when not ${IS_CALLED_OFF} then
  ${deliveryOf(sql`case o.status when 'Completed' then 'Scrub_To_Bud' else 'Bud_To_Scrub' end`, townWords(viewer))} end)`;

/** What Dubers are paid for from an order before it has ended: a way in vain, a way back, or a part of a way. */
const PAID_STEPS = ['pickup-failed', 'brought-back', 'relay'];

/** Whether a delivery of an order has had a step that pays its Duber. */
const hasPaidDuber = (viewer: Viewer) => sql<boolean>`exists (select from deliveries d
  join steps t on t.subject_id = d.id where d.order_id = ${order('id')} and ${HAS_LEFT_PLAN}
    and coalesce(t.action in (${literals(PAID_STEPS)}), false) and ${isViewersRound(viewer, delivery('round')) ?? sql`true`})`;

const PLANNED = literals(DELIVERY_FLOW.map(({ action }) => action));

/** The actions of a delivery in its present attempt, as its Duber knows them. Another try starts the attempt that it belongs to. */
const doneStepsJson = (viewer: Viewer): Json<NonNullable<DeliveryDetails['doneSteps']>> =>
  list(
    quoted(sql<string>`case t.action when 'mark-delivered' then 'delivered' else t.action end`),
    sql`t.position`,
    sql`steps t where t.subject_id = d.id and t.attempt + case t.action when 'try-again' then 1 else 0 end = d.attempt
      and (t.actor_role = 'Duber' or t.action in (${PLANNED}, 'mark-delivered')) and ${isStepVisible(viewer)}`,
  );

type StepsOfOrder = 'statusHistory' | 'changeWords' | 'failureWords' | 'townWords' | 'hasPaidDuber';

/** What an order by itself says of its steps. */
export const orderStepsProperties = (viewer: Viewer): JsonProperties<Pick<Order, StepsOfOrder>> => ({
  statusHistory: orderListJson(viewer)('steps'),
  changeWords: changeWordsJson(viewer),
  failureWords: failureWordsJson(viewer),
  townWords: orNull(text, townWordsOfOrder(viewer)),
  hasPaidDuber: bool(hasPaidDuber(viewer)),
});

type StepsOfDelivery = 'statusHistory' | 'townWords' | 'doneSteps';

/** What a delivery by itself says of its steps. */
export const deliveryStepsProperties = (viewer: Viewer): JsonProperties<Pick<DeliveryDetails, StepsOfDelivery>> => ({
  statusHistory: deliveryListJson(viewer)('steps'),
  townWords: orNull(text, townWords(viewer)),
  doneSteps: ifPresent(() => doneStepsJson(viewer), viewer.role === 'Duber' ? delivery('id') : sql<null>`null`),
});
