import { type Expression, type RawBuilder, sql } from 'kysely';
import type { PricedZone, ZoneItem } from '../../../domain/zones.ts';
import type { Context } from '../../context.ts';
import { queryRows, type Tx } from '../../db/database.ts';
import type { Zones } from '../../db/schema.ts';
import { orNotFound } from '../../http/refusals.ts';

/** A value with its tenths. */
export const storedValue = sql<number>`(value + tenths / 10.0)::float8`;

/** A value as the columns `value` and `tenths` have it. Only rates have tenths. */
export function inTenths(value: number): { value: number; tenths: number } {
  const tenths = Math.round(value * 10);
  return { value: Math.floor(tenths / 10), tenths: tenths % 10 };
}

/** A zone's prices at a time: item and value of the newest row of each; without those that are the town's again. */
const zonePricesAt = (zoneId: RawBuilder<unknown>, time: Expression<unknown>) =>
  sql`(select p.item, p.value from (select distinct on (zp.item) zp.item, ${storedValue} as value from zone_prices zp
      where zp.zone_id = ${zoneId} and zp.valid_from <= ${time}::timestamptz
      order by zp.item, zp.valid_from desc) p where p.value is not null)`;

/** The zones that hold at a time, with their own prices, as JSON; null when there is none. A part of other statements. */
export const zonesSql = (time: Expression<unknown>): RawBuilder<readonly PricedZone[] | null> =>
  sql`(select json_agg(json_build_object('id', z.id, 'corners', a.corners,
      'prices', coalesce((select json_agg(q) from ${zonePricesAt(sql`z.id`, time)} q), '[]'::json)))
    from zones z cross join lateral (select za.corners from zone_areas za
      where za.zone_id = z.id and za.valid_from <= ${time}::timestamptz order by za.valid_from desc limit 1) a
    where a.corners is not null)`;

/** A zone's own prices at a time. */
export const readZonePrices = (tx: Tx, zoneId: string, time: Date) =>
  queryRows<PricedZone['prices'][number]>(
    tx,
    sql`select q.item, q.value from ${zonePricesAt(sql`${zoneId}`, sql`${time}`)} q`,
  );

export type ZoneArea = { readonly validFrom: Date; readonly corners: PricedZone['corners'] | null };
export type ZonePriceRow = { readonly item: ZoneItem; readonly validFrom: Date; readonly value: number | null };

const areasOf = (tx: Tx, now: Date) =>
  tx
    .selectFrom('zone_areas as a')
    .select(['a.zone_id as zoneId', 'a.valid_from as validFrom', 'a.corners'])
    // Of the areas that are valid by now, only the newest counts.
    .where(sql<boolean>`not exists (select 1 from zone_areas l where l.zone_id = a.zone_id
      and l.valid_from > a.valid_from and l.valid_from <= ${now})`)
    .orderBy('a.valid_from')
    .execute();

const pricesOf = (tx: Tx, now: Date) =>
  tx
    .selectFrom('zone_prices as p')
    .select([
      'p.zone_id as zoneId',
      'p.item',
      'p.valid_from as validFrom',
      sql<number | null>`${storedValue}`.as('value'),
    ])
    .where(sql<boolean>`not exists (select 1 from zone_prices l where l.zone_id = p.zone_id and l.item = p.item
      and l.valid_from > p.valid_from and l.valid_from <= ${now})`)
    .orderBy('p.valid_from')
    .execute();

export type ZoneRecord = {
  readonly id: string;
  readonly name: string;
  /** Now, and from later days on. */
  readonly areas: readonly ZoneArea[];
  readonly prices: readonly ZonePriceRow[];
};

/** The zones that hold now or later, by name. */
export async function listZones(tx: Tx, now: Date): Promise<ZoneRecord[]> {
  const zones = await tx.selectFrom('zones').select(['id', 'name']).orderBy('name').orderBy('id').execute();
  const [areas, prices] = [await areasOf(tx, now), await pricesOf(tx, now)];
  const isOf = (id: string) => (row: { zoneId: string }) => row.zoneId === id;
  return zones
    .map(({ id, name }) => ({
      ...{ id, name },
      areas: areas.filter(isOf(id)) as ZoneArea[],
      prices: prices.filter(isOf(id)),
    }))
    .filter((zone) => zone.areas.some(({ corners }) => corners !== null));
}

/** A zone that holds now or later. Refuses another one. */
export const readZone = async ({ db, now }: Pick<Context, 'db' | 'now'>, id: string): Promise<ZoneRecord> =>
  orNotFound((await listZones(db, now())).find((zone) => zone.id === id));

export async function insertZone(tx: Tx, zone: Pick<Zones, 'id' | 'name'>, at: Date): Promise<void> {
  await tx
    .insertInto('zones')
    .values({ ...zone, created_at: at })
    .execute();
}

type NewArea = ZoneArea & { readonly zoneId: string; readonly setBy: string };

/** Sets where a zone is from a time on, instead of what was set for exactly that time. */
export async function setZoneArea(tx: Tx, { zoneId, validFrom, corners, setBy }: NewArea): Promise<void> {
  const value = { corners: corners && JSON.stringify(corners), set_by: setBy };
  await tx
    .insertInto('zone_areas')
    .values({ zone_id: zoneId, valid_from: validFrom, ...value })
    .onConflict((conflict) => conflict.columns(['zone_id', 'valid_from']).doUpdateSet(value))
    .execute();
}

/** Forgets what was to come for a zone after a time at which it ends. */
export async function forgetLaterOfZone(tx: Tx, zoneId: string, end: Date): Promise<void> {
  for (const table of ['zone_areas', 'zone_prices'] as const)
    await tx.deleteFrom(table).where('zone_id', '=', zoneId).where('valid_from', '>', end).execute();
}

/** Sets prices of a zone from a time on; null for what costs as much as in the town. */
export async function setZonePrices(
  tx: Tx,
  zoneId: string,
  validFrom: Date,
  prices: readonly Omit<ZonePriceRow, 'validFrom'>[],
): Promise<void> {
  await tx
    .insertInto('zone_prices')
    .values(
      prices.map(({ item, value }) => ({
        ...{ item, zone_id: zoneId, valid_from: validFrom },
        ...(value === null ? { value, tenths: 0 } : inTenths(value)),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['zone_id', 'item', 'valid_from']).doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        tenths: eb.ref('excluded.tenths'),
      })),
    )
    .execute();
}
