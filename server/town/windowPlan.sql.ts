import { sql } from 'kysely';
import type { WindowPlan } from '../../domain/windows.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { openingSql, type StoredOpening } from './opening.sql.ts';
import { settingSql } from './settings.sql.ts';

/** The windows that the town offers, and when it is closed. */
export type StoredWindows = { readonly windows: WindowPlan | null; readonly opening: StoredOpening };

export async function readWindowPlan(tx: Tx, now: Date): Promise<StoredWindows> {
  const at = sql`${now}::timestamptz`;
  const row = await queryRow<StoredWindows>(
    tx,
    sql`select ${settingSql('windows', at)} as windows, ${openingSql(at)} as opening`,
  );
  if (!row) throw new Error('a select without a from clause returned no row');
  return row;
}
