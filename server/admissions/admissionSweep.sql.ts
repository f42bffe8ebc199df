import { sql } from 'kysely';
import type { WorkerRole } from '../../domain/admissions.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

export type Sweep = { readonly isOn: boolean; readonly lastUser: string | null; readonly isDone: boolean };

export const readSweep = async (tx: Tx): Promise<Sweep> =>
  (await queryRow<Sweep>(
    tx,
    sql`select is_on as "isOn", last_user as "lastUser", is_done as "isDone" from admission_sweeps`,
  )) as Sweep;

/** Notes how far a sweep has got, unless another one has begun meanwhile. */
export async function saveSweep(tx: Tx, before: Sweep, { isOn, lastUser, isDone }: Sweep): Promise<void> {
  await queryRows(
    tx,
    sql`update admission_sweeps set is_on = ${isOn}, last_user = ${lastUser}, is_done = ${isDone}
      where is_on = ${before.isOn} and last_user is not distinct from ${before.lastUser}::uuid and is_done = ${before.isDone}`,
  );
}

export type SweptWorker = { readonly id: string; readonly role: WorkerRole };

/** The next workers by their ids, of each role from an index. */
export function listWorkersAfter(tx: Tx, last: string | null, limit: number): Promise<SweptWorker[]> {
  const of = (role: WorkerRole) =>
    sql`(select u.id, u.role from users u where u.role = ${sql.lit(role)}
      and u.id > coalesce(${last}::uuid, '00000000-0000-0000-0000-000000000000') order by u.id limit ${limit})`;
  return queryRows(tx, sql`select * from (${of('Scrub')} union all ${of('Duber')}) worker order by id limit ${limit}`);
}
