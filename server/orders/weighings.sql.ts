import { type RawBuilder, sql } from 'kysely';
import type { OrderSize } from '../../domain/orders.ts';
import type { PriceLine } from '../../domain/prices.ts';
import type { CorrectionState, Scale } from '../../domain/weighing.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { LINES, linesIn, SUMS_OF_LINES } from '../db/orderLines.sql.ts';

// What the laundry of an order weighs, and what became of its price. Lock the order before you write. Money in cents.

/** What an order was placed with. */
export type WeighedOrder = {
  readonly size: OrderSize;
  /** Both null when it is not weighed. */
  readonly ceilingSize: OrderSize | null;
  readonly pricedAt: Date | null;
  /** The zone whose prices it has; null for those of the town. */
  readonly zoneId: string | null;
  /** What it costs by now. */
  readonly lines: readonly PriceLine[];
};

export function readWeighedOrder(tx: Tx, orderId: string): Promise<WeighedOrder | undefined> {
  return tx
    .selectFrom('orders as o')
    .select(['load_size as size', 'ceiling_size as ceilingSize', 'priced_at as pricedAt', 'zone_id as zoneId'])
    .select(LINES.as('lines'))
    .where('o.id', '=', orderId)
    .executeTakeFirst();
}

export type Weight = {
  readonly scale: Scale;
  readonly grams: number;
  readonly splits: boolean;
  readonly at: Date;
  readonly fileIds: readonly string[];
};

/** Whether the laundry of a Duber's weight `w` is still what they collected then, of a delivery `d` for which `holds`. */
const isOfLoad = (holds: RawBuilder<unknown>) => sql`exists (select from deliveries d join orders o on o.id = d.order_id
  where d.id = w.delivery_id and d.round = o.round and d.duber_id = w.by_id and ${holds}
    and w.at >= (select max(t.at) from steps t where t.subject_id = d.id and t.action = 'collected'))`;

const IS_ON_BOARD = isOfLoad(sql`true`);
/** The Duber has brought it to the Scrub who has the order. */
const HAS_ARRIVED = isOfLoad(sql`d.status = 'Delivered'`);

const isWeighedByScrub = (orderId: string) =>
  sql`exists (select from weighings s where s.order_id = ${orderId} and s.scale = 'scrub')`;

/** The weights that count. Once the Scrub has weighed, all that are left did. */
export function listWeights(tx: Tx, orderId: string): Promise<Weight[]> {
  return queryRows(
    tx,
    sql`select w.scale, w.grams, w.splits, w.at,
        array(select f.id::text from files f where f.about_kind = 'weighing' and f.about_id = w.id order by f.id) as "fileIds"
      from weighings w where w.order_id = ${orderId} and (${isWeighedByScrub(orderId)} or ${HAS_ARRIVED})
      order by w.at, w.id`,
  );
}

/** Deletes a Duber's weight that cannot count when the Scrub weighs, because it was of other laundry. */
export async function deleteOtherWeight(tx: Tx, orderId: string): Promise<void> {
  await queryRows(
    tx,
    sql`delete from weighings w where w.order_id = ${orderId} and w.scale = 'duber'
    and not ${HAS_ARRIVED}`,
  );
}

/** Whether a Duber may weigh the laundry on board. Deletes the weight of an earlier Duber. */
export async function clearEarlierWeight(tx: Tx, orderId: string): Promise<boolean> {
  await queryRows(
    tx,
    sql`delete from weighings w where w.order_id = ${orderId} and w.scale = 'duber' and not ${IS_ON_BOARD}
      and not ${isWeighedByScrub(orderId)}`,
  );
  const weights = tx.selectFrom('weighings').select('id').where('order_id', '=', orderId);
  return (await weights.limit(1).executeTakeFirst()) === undefined;
}

/** Whether the Scrub of an order has weighed its laundry, and whether its Bud is asked what to do. */
export async function readWeighingState(
  tx: Tx,
  orderId: string,
): Promise<{ readonly hasWeight: boolean; readonly correction: CorrectionState | undefined }> {
  const row = await queryRow<{ hasWeight: boolean; state: CorrectionState | null }>(
    tx,
    sql`select exists (select from weighings w where w.order_id = ${orderId} and w.scale = 'scrub') as "hasWeight",
      (select c.state from corrections c where c.order_id = ${orderId}) as state`,
  );
  return { hasWeight: row?.hasWeight === true, correction: row?.state ?? undefined };
}

export type NewWeight = {
  readonly id: string;
  readonly orderId: string;
  readonly round: number;
  readonly scale: Scale;
  readonly byId: string;
  readonly deliveryId: string | null;
  readonly grams: number;
  readonly splits: boolean;
};

export async function insertWeight(tx: Tx, weight: NewWeight, at: Date): Promise<void> {
  const { id, orderId, round, scale, byId, deliveryId, grams, splits } = weight;
  await tx
    .insertInto('weighings')
    .values({
      ...{ id, order_id: orderId, round, scale, by_id: byId, delivery_id: deliveryId, grams, splits },
      at,
    })
    .execute();
}

/** The order of a delivery that a Duber has on board on its way to the Scrub, and locks the order. */
export async function lockOrderOfDelivery(tx: Tx, duberId: string, deliveryId: string) {
  await queryRow(
    tx,
    sql`select o.id from orders o where o.id = (select d.order_id from deliveries d
        where d.id = ${deliveryId} and d.duber_id = ${duberId})
      for no key update`,
  );
  // A statement of its own: the lock may have waited.
  return tx
    .selectFrom('deliveries as d')
    .innerJoin('orders as o', 'o.id', 'd.order_id')
    .select(['o.id', 'o.round', 'o.ceiling_size as ceilingSize', 'd.status', 'd.delivery_type as type'])
    .where('d.id', '=', deliveryId)
    .where('d.duber_id', '=', duberId)
    .executeTakeFirst();
}

export type CorrectionRow = {
  readonly fromSize: OrderSize;
  readonly toSize: OrderSize | null;
  readonly fromCents: number;
  readonly toCents: number | null;
  readonly splits: boolean;
  readonly state: CorrectionState;
  readonly at: Date;
  readonly answeredBy: 'Bud' | 'System' | null;
  readonly contestedAt: Date | null;
};

export function findCorrection(tx: Tx, orderId: string): Promise<CorrectionRow | undefined> {
  return tx
    .selectFrom('corrections')
    .select([
      ...(['from_size as fromSize', 'to_size as toSize', 'from_cents as fromCents', 'to_cents as toCents'] as const),
      ...(['splits', 'state', 'at', 'answered_by as answeredBy', 'contested_at as contestedAt'] as const),
    ])
    .where('order_id', '=', orderId)
    .executeTakeFirst();
}

type NewCorrection = Pick<CorrectionRow, 'fromSize' | 'toSize' | 'fromCents' | 'toCents' | 'splits' | 'state'>;

export async function insertCorrection(tx: Tx, orderId: string, correction: NewCorrection, at: Date): Promise<void> {
  const { fromSize, toSize, fromCents, toCents, splits, state } = correction;
  await tx
    .insertInto('corrections')
    .values({
      ...{ order_id: orderId, from_size: fromSize, to_size: toSize, from_cents: fromCents, to_cents: toCents },
      ...{ splits, state, at },
    })
    .execute();
}

/** Deletes an open correction and the weight of the Scrub who gave the order back: nothing was charged for it. */
export async function deleteOpenCorrection(tx: Tx, orderId: string): Promise<void> {
  const asked = tx.deleteFrom('corrections').where('order_id', '=', orderId).where('state', '=', 'asked');
  if ((await asked.executeTakeFirst()).numDeletedRows === 0n) return;
  await tx.deleteFrom('weighings').where('order_id', '=', orderId).where('scale', '=', 'scrub').execute();
}

export async function markAnswered(
  tx: Tx,
  orderId: string,
  { state, by }: { state: CorrectionState; by: 'Bud' | 'System' },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('corrections')
    .set({ state, answered_by: by, answered_at: at })
    .where('order_id', '=', orderId)
    .where('state', '=', 'asked')
    .execute();
}

export async function markContested(tx: Tx, orderId: string, at: Date): Promise<void> {
  await tx.updateTable('corrections').set({ contested_at: at }).where('order_id', '=', orderId).execute();
}

/** Sets the size and the price of an order. The prices of its deliveries stay. */
export async function setSizeAndPrice(
  tx: Tx,
  orderId: string,
  size: OrderSize,
  lines: readonly PriceLine[],
): Promise<void> {
  await queryRows(
    tx,
    sql`with lines as materialized (select l.* from ${linesIn(sql`${JSON.stringify(lines)}::jsonb`)}),
      gone as (delete from order_lines ol where ol.order_id = ${orderId} and ol.item not in (select item from lines)),
      written as (
        insert into order_lines (order_id, item, cents, earner, is_taxed)
          select ${orderId}::uuid, item, cents, earner, "isTaxed" from lines
          on conflict (order_id, item) do update
            set cents = excluded.cents, earner = excluded.earner, is_taxed = excluded.is_taxed)
      update orders set load_size = ${size}, (load_price, total_price) = (select ${SUMS_OF_LINES}) where id = ${orderId}`,
  );
}
