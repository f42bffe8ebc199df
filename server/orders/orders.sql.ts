import { type RawBuilder, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { ORDER_LIST, type Order, type OrderStep } from '../../contract/orders.ts';
import { BUD_ORDER_FIELDS, COUNT_FIELDS, SCRUB_JOB_FIELDS } from '../../contract/screenFields.ts';
import type { BudId, ScrubId } from '../../domain/accounts.ts';
import type { OrderStatus, OrderStepAction } from '../../domain/orders.ts';
import type { Actor } from '../../domain/workflow.ts';
import { columnsOf, isoTime, type OrderRow } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { dollars, object } from '../db/json.sql.ts';
import { prepareList } from '../db/lists.sql.ts';
import { prepare, queryBuilder } from '../db/prepared.ts';
import { type JsonQuery, prepareByPrivacy } from '../db/query.sql.ts';
import { isPrivacy } from '../policies.sql.ts';
import { joinSharedColumns, orderProperties, type Viewer } from '../visibility.sql.ts';

export type OrderParty = { role: 'Bud'; id: BudId } | { role: 'Scrub'; id: ScrubId };

const columnOf = (role: OrderParty['role']) => sql.ref(role === 'Bud' ? 'o.bud_id' : 'o.scrub_id');
const ownedBy = ({ role, id }: { role: OrderParty['role']; id: unknown }) =>
  sql<boolean>`${columnOf(role)} = ${id}::uuid`;
const byRole = <T>(make: (role: OrderParty['role']) => T) => ({ Bud: make('Bud'), Scrub: make('Scrub') });

const findOwnOrder = byRole((role) =>
  prepare<[id: string, caller: string], OrderRow>((id, caller) =>
    queryBuilder
      .selectFrom('orders as o')
      .select((eb) => [
        'o.id',
        'o.status',
        'o.bud_id as budId',
        'o.scrub_id as scrubId',
        'o.self_delivery as selfDelivery',
        'o.self_pickup as selfPickup',
        'o.bud_address as budAddress',
        'o.scrub_address as scrubAddress',
        'o.distance_m as distanceInMeters',
        jsonBuildObject({
          loadPrice: eb.ref('o.load_price'),
          delivery: eb.ref('o.delivery_price'),
          pickup: eb.ref('o.pickup_price'),
          platformFee: eb.ref('o.platform_fee'),
          taxes: eb.ref('o.taxes'),
          totalPrice: eb.ref('o.total_price'),
        }).as('price'),
      ])
      .where('o.id', '=', id)
      .where(ownedBy({ role, id: caller })),
  ),
);

/** An order of the caller as the database stores it, money in cents. */
export function findOrder(tx: Tx, caller: OrderParty, id: string): Promise<OrderRow | undefined> {
  return findOwnOrder[caller.role].one(tx, id, caller.id);
}

/** The id of the order with a number. */
export async function findOrderId(tx: Tx, number: number): Promise<string | undefined> {
  return (await queryRow<{ id: string }>(tx, sql`select id from orders where number = ${number}`))?.id;
}

const readOwnOrderJson = byRole((role) =>
  prepareByPrivacy<[id: string, caller: string, now: Date], Order>(
    (isCareful) => (id, caller, now) => {
      const viewer: Viewer = { role, id: caller, now, isCareful };
      return {
        applies: isPrivacy(isCareful, now),
        json: object(orderProperties(viewer)),
        from: sql`orders o ${joinSharedColumns(viewer)} where o.id = ${id} and ${ownedBy({ role, id: caller })}`,
      };
    },
    { isQuick: true },
  ),
);

/** An order of the caller as they see it, as JSON. */
export const readOrderJson = (caller: OrderParty, id: string, now: Date): JsonQuery<Order> =>
  readOwnOrderJson[caller.role](id, caller.id, now);

const order = columnsOf('orders', 'o');

/** A page of the caller's orders. */
export const listOrders = prepareList<OrderParty, typeof ORDER_LIST, Order>({
  list: ORDER_LIST,
  table: 'orders',
  alias: 'o',
  scope: ownedBy,
  columns: {
    id: order('id'),
    number: order('number'),
    status: sql`o.status collate "C"`,
    budId: order('bud_id'),
    scrubId: order('scrub_id'),
    loadSize: sql`o.load_size collate "C"`,
    selfDelivery: order('self_delivery'),
    selfPickup: order('self_pickup'),
    createdAt: order('created_at'),
    price: order('total_price'),
    scrubEarning: order('load_price'),
  },
  joins: joinSharedColumns,
  properties: orderProperties,
  isPrivacy,
  sums: { price: { tally: 'total_price', toJson: dollars }, scrubEarning: { tally: 'load_price', toJson: dollars } },
  tallies: 'order_tallies',
  screenFields: [BUD_ORDER_FIELDS, SCRUB_JOB_FIELDS, COUNT_FIELDS],
});

/** A row of ORDER_FLOW, for one order. */
type OrderTransition = {
  readonly id: string;
  readonly action: OrderStepAction;
  readonly from: OrderStatus;
  readonly to: OrderStatus;
  /** The digest of the request's Idempotency-Key. */
  readonly requestKey: Buffer | null;
};

type StepBy = { readonly scope: RawBuilder<unknown>; readonly actorId: string | null; readonly actorRole: Actor };

/** Compare-and-swap: moves the caller's order if its status is still `from`. Returns undefined otherwise. */
export function moveOrder(
  tx: Tx,
  caller: OrderParty,
  move: OrderTransition,
  now: Date,
): Promise<OrderStep | undefined> {
  return insertOrderStep(tx, { scope: ownedBy(caller), actorId: caller.id, actorRole: caller.role }, move, now);
}

/** Compare-and-swap by the server itself, for any order. */
export function moveOrderBySystem(
  tx: Tx,
  move: Omit<OrderTransition, 'requestKey'>,
  now: Date,
): Promise<OrderStep | undefined> {
  const system: StepBy = { scope: sql`true`, actorId: null, actorRole: 'System' };
  return insertOrderStep(tx, system, { ...move, requestKey: null }, now);
}

// Raw SQL: the move and its history are one statement, so that neither exists without the other.
function insertOrderStep(tx: Tx, by: StepBy, { id, action, from, to, requestKey }: OrderTransition, now: Date) {
  const { scope, actorId, actorRole } = by;
  return queryRow<OrderStep>(
    tx,
    sql`with moved as (update orders o set status = ${to},
          completed_at = case when ${to}::text = 'Completed' then ${now}::timestamptz else completed_at end
        where o.id = ${id} and o.status = ${from} and ${scope} returning o.id, o.round)
      insert into order_steps as t (order_id, round, action, status, actor_id, actor_role, created_at, request_key,
          position)
        select m.id, m.round, ${action}::text, ${to}, ${actorId}::uuid, ${actorRole}::text, ${now}::timestamptz, ${requestKey}::bytea,
          (select count(*) from order_steps p where p.order_id = m.id)
        from moved m
      returning t.status, ${isoTime('t.created_at')} as "createdAt", t.order_id as "orderId"`,
  );
}

/** The step that an earlier request with the same key has taken. */
export async function findOrderStepByKey(
  tx: Tx,
  { id, to, requestKey }: Pick<OrderTransition, 'id' | 'to' | 'requestKey'>,
): Promise<OrderStep | undefined> {
  if (requestKey === null) return undefined;
  const step = await tx
    .selectFrom('order_steps')
    .select(['status', 'created_at'])
    .where('order_id', '=', id)
    .where('status', '=', to)
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
  return step && { status: step.status, createdAt: step.created_at.toISOString(), orderId: id };
}
