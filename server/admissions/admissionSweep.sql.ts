import { sql } from 'kysely';
import { WORKER_ROLES, type WorkerRole } from '../../domain/admissions.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** The progress of applying a change of the requirements to existing workers. */
export type Sweep = {
  /** The requirements that are being applied. */
  readonly target: string | null;
  readonly begunAt: Date | null;
  /** The first pass goes through all workers, later ones through those who signed up meanwhile. */
  readonly isFirstPass: boolean | null;
  readonly lastOfPass: string | null;
  readonly doneTarget: string | null;
};

export const readSweep = async (tx: Tx): Promise<Sweep> =>
  (await queryRow<Sweep>(
    tx,
    sql`select target, begun_at as "begunAt", is_first_pass as "isFirstPass", last_of_pass as "lastOfPass", done_target as "doneTarget"
      from admission_sweeps`,
  )) as Sweep;

/** Saves the progress of a sweep, unless another one has begun meanwhile. */
export async function saveSweep(tx: Tx, before: Sweep, after: Sweep): Promise<void> {
  await queryRows(
    tx,
    sql`update admission_sweeps set target = ${after.target}, begun_at = ${after.begunAt},
        is_first_pass = ${after.isFirstPass}, last_of_pass = ${after.lastOfPass}::uuid, done_target = ${after.doneTarget}
      where target is not distinct from ${before.target} and is_first_pass is not distinct from ${before.isFirstPass}
        and last_of_pass is not distinct from ${before.lastOfPass}::uuid
        and done_target is not distinct from ${before.doneTarget}`,
  );
}

/** Changes whenever the requirements change. */
export const readRequirementsHash = async (tx: Tx): Promise<string> =>
  (
    await queryRow<{ hash: string }>(
      tx,
      sql`select md5(coalesce(string_agg(concat_ws(' ', role, kind, needed, renew_days), ',' order by role, kind), '')) as hash
        from requirements`,
    )
  )?.hash ?? '';

/** The roles that need documents. */
export const listRolesWithRequirements = async (tx: Tx): Promise<WorkerRole[]> =>
  (await tx.selectFrom('requirements').select('role').distinct().where('needed', '=', true).execute()).map(
    ({ role }) => role,
  );

export type SweptWorker = { readonly id: string; readonly role: WorkerRole };

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The next workers by their ids, of each role from an index. */
export function listWorkersAfter(tx: Tx, last: string | null, limit: number): Promise<SweptWorker[]> {
  const of = (role: WorkerRole) =>
    sql`(select u.id, u.role from users u where u.role = ${sql.lit(role)}
      and u.id > coalesce(${last}::uuid, ${sql.lit(FIRST_ID)}::uuid) order by u.id limit ${limit})`;
  return queryRows(
    tx,
    sql`select * from (${sql.join(WORKER_ROLES.map(of), sql` union all `)}) worker order by id limit ${limit}`,
  );
}

/** Workers of some roles without an admission: a sign-up that began before the change is found once it has committed. */
export function listWorkersWithout(tx: Tx, roles: readonly WorkerRole[], limit: number): Promise<SweptWorker[]> {
  return tx
    .selectFrom('users as u')
    .select(['u.id', 'u.role'])
    .where('u.role', '=', sql<WorkerRole>`any(${[...roles]}::text[])`)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('admissions as a').select('a.id').whereRef('a.id', '=', 'u.id'))),
    )
    .limit(limit)
    .$castTo<SweptWorker>()
    .execute();
}

/** The next workers that have an admission, by their ids. */
export const listAdmittedAfter = (tx: Tx, last: string | null, limit: number): Promise<SweptWorker[]> =>
  tx
    .selectFrom('admissions')
    .select(['id', 'role'])
    .where('id', '>', last ?? FIRST_ID)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Workers with an admission restriction in a role without requirements. */
export const listHeldWithoutRequirements = (
  tx: Tx,
  asked: readonly WorkerRole[],
  limit: number,
): Promise<SweptWorker[]> =>
  queryRows(
    tx,
    sql`select a.id, a.role from holds h join admissions a on a.id = h.user_id
      where h.of_admission and h.lifted_at is null and a.role <> all(${[...asked]}::text[]) limit ${limit}`,
  );
