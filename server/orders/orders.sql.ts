import { type RawBuilder, sql } from 'kysely';
import { type ListedOrder, ORDER_LIST, type Order } from '../../contract/orders.ts';
import type { Proposal } from '../../contract/proposals.ts';
import { BUD_ORDER_FIELDS, COUNT_FIELDS, SCRUB_JOB_FIELDS } from '../../contract/screenFields.ts';
import type { BudId, ScrubId } from '../../domain/accounts.ts';
import type { WayHome } from '../../domain/orders.ts';
import type { WindowKind } from '../../domain/windows.ts';
import { backAt, columnsOf, isoTime, type OrderRow } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import type { Late } from '../db/driver.ts';
import { dollars, ifPresent, object, quoted, raw, text } from '../db/json.sql.ts';
import { prepareList, type Viewer } from '../db/lists.sql.ts';
import { prepare, queryBuilder } from '../db/prepared.ts';
import { type JsonQuery, prepareByPrivacy } from '../db/query.sql.ts';
import { isPrivacy } from '../town/policies.sql.ts';
import { promisedCredit, timeZoneSql } from '../town/settings.sql.ts';
import { orderStepsProperties } from '../visibility/steps.sql.ts';
import { joinSharedColumns, orderProperties } from '../visibility/visibility.sql.ts';

export type OrderParty = { role: 'Bud'; id: BudId } | { role: 'Scrub'; id: ScrubId };

/** An operator may have an account; it says who they are in the history. */
export type OrderActor = OrderParty | { role: 'Operator'; id: string | null };

/** Who takes a step of an order: also the server itself. */
export type OrderTaker = OrderActor | { role: 'System'; id: null };

const columnOf = (role: OrderParty['role']) => sql.ref(role === 'Bud' ? 'o.bud_id' : 'o.scrub_id');
export const ownedBy = ({ role, id }: { role: OrderParty['role']; id: unknown }) =>
  sql<boolean>`${columnOf(role)} = ${id}::uuid`;
const byRole = <T>(make: (role: OrderParty['role']) => T) => ({ Bud: make('Bud'), Scrub: make('Scrub') });

const selectOrder = (id: RawBuilder<string>) =>
  queryBuilder
    .selectFrom('orders as o')
    .select([
      'o.id',
      'o.status',
      'o.round',
      'o.bud_id as budId',
      'o.scrub_id as scrubId',
      'o.self_delivery as selfDelivery',
      'o.self_pickup as selfPickup',
      'o.bud_address as budAddress',
      'o.scrub_address as scrubAddress',
      'o.distance_m as distanceInMeters',
      'o.given_back_at as givenBackAt',
      'o.handed_over_at as handedOverAt',
      'o.holder_role as holderRole',
      'o.closed_at as closedAt',
      'o.ways_paid_by as waysPaidBy',
      'o.ceiling_size as ceilingSize',
      'o.held_since as heldSince',
      'o.promised_at as promisedAt',
      'o.pickup_from as pickupFrom',
      'o.pickup_until as pickupUntil',
      'o.return_from as returnFrom',
      'o.return_until as returnUntil',
      'o.turnaround',
      'o.discount',
      'o.total_price as totalPrice',
    ])
    .where('o.id', '=', id);

const findOwnOrder = byRole((role) =>
  prepare<[id: string, caller: string], OrderRow>((id, caller) => selectOrder(id).where(ownedBy({ role, id: caller }))),
);
const lockOwnOrder = byRole((role) =>
  prepare<[id: string, caller: string], OrderRow>((id, caller) =>
    selectOrder(id)
      .where(ownedBy({ role, id: caller }))
      .forNoKeyUpdate(),
  ),
);
const findAnyOrder = prepare<[id: string], OrderRow>(selectOrder);
const lockAnyOrder = prepare<[id: string], OrderRow>((id) => selectOrder(id).forNoKeyUpdate());

/** An order of the caller as the database stores it, money in cents. */
export function findOrder(tx: Tx, caller: OrderParty, id: string): Promise<OrderRow | undefined> {
  return findOwnOrder[caller.role].one(tx, id, caller.id);
}

/** Any order, for an operator or the server. */
export const findOrderOfTown = (tx: Tx, id: string): Promise<OrderRow | undefined> => findAnyOrder.one(tx, id);

/**
 * Locks an order of the caller, or any for an operator and the server, until the transaction ends: with its next statement. A transaction
 * that changes more than its status takes the locks in this order: the order, its deliveries, its hand-overs, its payment, its timers.
 * These locks let others refer to the order meanwhile.
 */
export function askForLock(tx: Tx, actor: OrderTaker, id: string): Promise<Late<OrderRow | undefined>> {
  return actor.role === 'Operator' || actor.role === 'System'
    ? lockAnyOrder.askOne(tx, id)
    : lockOwnOrder[actor.role].askOne(tx, id, actor.id);
}

/** The same, at once. */
export const lockOrder = async (tx: Tx, actor: OrderTaker, id: string): Promise<OrderRow | undefined> =>
  (await askForLock(tx, actor, id))();

/** The id of the order with a number. */
export async function findIdOfNumber(tx: Tx, number: number): Promise<string | undefined> {
  return (await queryRow<{ id: string }>(tx, sql`select id from orders where number = ${number}`))?.id;
}

const order = columnsOf('orders', 'o');

const promoJson = object({
  code: text(order('promo_code') as RawBuilder<string>),
  discount: dollars(order('discount') as RawBuilder<number>),
});

const proposedJson = (kind: WindowKind) =>
  sql`json_build_object('from', ${isoTime(`p.${kind}_from`)}, 'until', ${isoTime(`p.${kind}_until`)})`;

/** The proposal that waits for the answer of the Bud, as JSON. */
const openProposal = (
  now: RawBuilder<Date>,
) => sql<Proposal | null>`(select json_build_object('id', p.id, 'by', p.by_role, 'reason', p.reason,
    'words', p.words, 'pickup', case when p.pickup_from is not null then ${proposedJson('pickup')} end,
    'return', ${proposedJson('return')}, 'madeAt', ${isoTime('p.made_at')},
    'timeZone', ${timeZoneSql(now)})
  from proposals p where p.order_id = o.id and p.answer is null and o.status in ('Requested', 'Accepted', 'In_Progress'))`;

const MISSED_PROMISE = sql<
  Order['missedPromise'] | null
>`(select json_strip_nulls(json_build_object('amount', m.cents / 100::float8, 'state', m.state,
    'promisedAt', ${isoTime('m.promised_at')}, 'backAt', ${isoTime(backAt('o'))}, 'holder', m.holder_role,
    'reason', m.reason, 'borneBy', ${promisedCredit} ->> 'borneBy'))
  from missed_promises m where m.order_id = o.id)`;

const readOwnOrderJson = byRole((role) =>
  prepareByPrivacy<[id: string, caller: string, now: Date], Order>(
    (isCareful) => (id, caller, now) => {
      const viewer: Viewer = { role, id: caller, now, isCareful };
      return {
        applies: isPrivacy(isCareful, now),
        json: object<Order>({
          ...orderProperties(viewer),
          ...orderStepsProperties(viewer),
          ceilingSize: ifPresent(quoted, order('ceiling_size')),
          proposal: ifPresent(raw, openProposal(now)),
          missedPromise: ifPresent(raw, MISSED_PROMISE),
          wayHome: ifPresent(quoted, sql<WayHome | null>`case when o.holder_role <> 'Bud' then o.way_home end`),
          // What a Scrub earns does not depend on it.
          promo: ifPresent(() => promoJson, role === 'Bud' ? order('promo_code') : sql<null>`null`),
        }),
        from: sql`orders o ${joinSharedColumns(viewer)} where o.id = ${id} and ${ownedBy({ role, id: caller })}`,
      };
    },
    { isQuick: true },
  ),
);

/** An order of the caller as they see it, as JSON. */
export const readOrderJson = (caller: OrderParty, id: string, now: Date): JsonQuery<Order> =>
  readOwnOrderJson[caller.role](id, caller.id, now);

/** A page of the caller's orders. */
export const listOrders = prepareList<OrderParty, typeof ORDER_LIST, ListedOrder>({
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
