import { sql } from 'kysely';
import type { WindowPlan } from '../../domain/windows.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { openingSql, type StoredOpening } from './opening.sql.ts';
import { settingSql } from './settings.sql.ts';

/** The windows that the town offers, and when it is closed. */
export type StoredWindows = { readonly windows: WindowPlan | null; readonly opening: StoredOpening };

/** With the zone of an order; null outside of all zones, and without an order. */
export async function readWindowPlan(
  tx: Tx,
  now: Date,
  orderId: string | null = null,
): Promise<StoredWindows & { readonly zoneId: string | null }> {
  const at = sql`${now}::timestamptz`;
  const row = await queryRow<StoredWindows & { zoneId: string | null }>(
    tx,
    sql`select ${settingSql('windows', at)} as windows, ${openingSql(at)} as opening,
      (select o.zone_id from orders o where o.id = ${orderId}::uuid) as "zoneId"`,
  );
  if (!row) throw new Error('a select without a from clause returned no row');
  return row;
}
