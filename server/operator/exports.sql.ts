import { sql } from 'kysely';
import type { ActName } from '../../contract/operator/api.ts';
import { queryRow, type Tx } from '../db/database.ts';

/** Whether another operator has approved, since a time, that this one reads the export of a year. */
export async function isExportApproved(
  tx: Tx,
  { action, operatorId, year, since }: { action: ActName; operatorId: string; year: number; since: Date },
): Promise<boolean> {
  const row = await queryRow(
    tx,
    sql`select a.id from audit a where a.operator_id = ${operatorId}::uuid and a.action = ${action} and a.at > ${since}::timestamptz
      and a.approved_by_name is not null and (a.details::jsonb ->> 'year')::int = ${year}::int limit 1`,
  );
  return row !== undefined;
}
