import { type RawBuilder, sql } from 'kysely';
import type { OrderStep } from '../../contract/orders.ts';
import type { BudId, ScrubId } from '../../domain/accounts.ts';
import type { LoadSize, OrderStatus } from '../../domain/orders.ts';
import type { Price } from '../../domain/payments.ts';
import { iso, type Kept, type OrderRow } from '../db/columns.sql.ts';
import { row, rows, type Tx } from '../db/database.ts';
import { dollars, object, written } from '../db/json.sql.ts';
import { type Columns, prepareList } from '../db/lists.sql.ts';
import { prepare } from '../db/prepared.ts';
import { prepareQuickReading, type Reading } from '../db/query.sql.ts';
import { type Looker, orderShape, partsOf } from '../visibility.sql.ts';

export type Owner = { role: 'Bud'; id: BudId } | { role: 'Scrub'; id: ScrubId };

const columnOf = (role: Owner['role']) => sql.ref(role === 'Bud' ? 'o.bud_id' : 'o.scrub_id');
const ownedBy = ({ role, id }: { role: Owner['role']; id: unknown }) => sql`${columnOf(role)} = ${id}::uuid`;
const byRole = <T>(make: (role: Owner['role']) => T) => ({ Bud: make('Bud'), Scrub: make('Scrub') });

const findOwn = byRole((role) =>
  prepare<[id: string, caller: string], OrderRow>(
    (id, caller) => sql`select o.id, o.status, o.bud_id as "budId", o.scrub_id as "scrubId",
        o.self_delivery as "selfDelivery", o.self_pickup as "selfPickup",
        json_build_object('loadPrice', o.load_price, 'delivery', o.delivery_price, 'pickup', o.pickup_price,
          'platformFee', o.platform_fee, 'taxes', o.taxes, 'totalPrice', o.total_price) as price,
        o.bud_address as "budAddress", o.scrub_address as "scrubAddress", o.distance_m as "distanceInMeters"
      from orders o where o.id = ${id} and ${ownedBy({ role, id: caller })}`,
  ),
);

/** An order of the caller as it is stored, money in cents. */
export function findOrder(tx: Tx, caller: Owner, id: string): Promise<OrderRow | undefined> {
  return findOwn[caller.role].one(tx, id, caller.id);
}

const showOwn = byRole((role) =>
  prepareQuickReading<[id: string, caller: string, now: Date]>((id, caller, now) => {
    const looker: Looker = { role, id: caller, now };
    return sql`select ${written(object(orderShape(looker)))} as json from orders o ${partsOf(looker)}
      where o.id = ${id} and ${ownedBy({ role, id: caller })}`;
  }),
);

/** An order of the caller, as they see it. */
export const showOrder = (caller: Owner, id: string, now: Date): Reading => showOwn[caller.role](id, caller.id, now);

const COLUMNS: Columns = {
  id: { sql: sql`o.id`, type: 'uuid' },
  status: { sql: sql`o.status collate "C"`, type: 'text' },
  budId: { sql: sql`o.bud_id`, type: 'uuid' },
  scrubId: { sql: sql`o.scrub_id`, type: 'uuid' },
  loadSize: { sql: sql`o.load_size collate "C"`, type: 'text' },
  selfDelivery: { sql: sql`o.self_delivery`, type: 'boolean' },
  selfPickup: { sql: sql`o.self_pickup`, type: 'boolean' },
  createdAt: { sql: sql`o.created_at`, type: 'timestamptz' },
};

const SORTS = {
  createdAt: sql`o.created_at`,
  status: sql`o.status collate "C"`,
  price: sql`o.total_price`,
  scrubEarning: sql`o.load_price`,
};

/** A page of the caller's own orders. */
export const listOrders = prepareList<Owner>({
  table: 'orders',
  alias: 'o',
  scope: ownedBy,
  columns: COLUMNS,
  sorts: SORTS,
  joins: partsOf,
  shape: orderShape,
  sums: {
    price: { of: sql`o.total_price`, tallied: sql`t.total_price`, written: dollars },
    scrubEarning: { of: sql`o.load_price`, tallied: sql`t.load_price`, written: dollars },
  },
  tallies: 'order_tallies',
});

export type NewOrder = {
  readonly id: string;
  readonly budId: string;
  readonly scrubId: string;
  readonly loadSize: LoadSize;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly instructions: string | null;
  readonly price: Price;
  readonly budAddress: Kept;
  readonly scrubAddress: Kept;
  readonly distanceInMeters: number;
};

type Move = { readonly id: string; readonly from: OrderStatus; readonly to: OrderStatus };

/** Compare-and-swap: moves an order that still stands at `from` and is the caller's; undefined when it does not. */
export function moveOrder(tx: Tx, caller: Owner, move: Move, now: Date): Promise<OrderStep | undefined> {
  return takeStep(tx, ownedBy(caller), move, now);
}

/** The system's own step: a request that nobody answered in time is cancelled. */
export function expireOrder(tx: Tx, id: string, now: Date): Promise<OrderStep | undefined> {
  return takeStep(tx, sql`true`, { id, from: 'Requested', to: 'Cancelled' }, now);
}

function takeStep(tx: Tx, scope: RawBuilder<unknown>, { id, from, to }: Move, now: Date) {
  return row<OrderStep>(
    tx,
    sql`with moved as (update orders o set status = ${to},
          completed_at = case when ${to}::text = 'Completed' then ${now}::timestamptz else completed_at end
        where o.id = ${id} and o.status = ${from} and ${scope} returning o.id)
      insert into order_steps as t (order_id, status, created_at, position)
        select m.id, ${to}, ${now}::timestamptz, (select count(*) from order_steps p where p.order_id = m.id)
        from moved m
      returning t.status, ${iso('t.created_at')} as "createdAt", t.order_id as "orderId"`,
  );
}

/** Requests that have waited since before `since`. */
export async function expiredRequests(tx: Tx, since: Date, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`select id from orders where status = 'Requested' and created_at <= ${since} order by created_at limit ${limit}`,
  );
  return found.map(({ id }) => id);
}
