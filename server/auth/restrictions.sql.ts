import { type RawBuilder, sql } from 'kysely';
import type { HeldBy, RestrictionKind } from '../../domain/restrictions.ts';
import { queryRow, type Tx, violatedConstraint } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';

/** Locks a person: steps that give them new work wait until the transaction ends and then read their restrictions. */
export async function lockUser(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
}

/** Whether a person has a restriction of a kind; `person` is a uuid. It reads an index that is nearly always empty. */
export const isRestrictedFrom = (kind: RestrictionKind, person: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from holds restriction
    where restriction.user_id = ${person} and restriction.kind = ${sql.lit(kind)} and restriction.lifted_at is null)`;

/** What keeps a person from new work: an operator, or else only documents that are not accepted; null when nothing does. */
export const newWorkHeldBy = (person: RawBuilder<unknown>): RawBuilder<HeldBy | null> =>
  sql<HeldBy | null>`(select case when bool_and(restriction.of_admission) then 'documents' else 'town' end from holds restriction
    where restriction.user_id = ${person} and restriction.kind = 'new-work' and restriction.lifted_at is null having count(*) > 0)`;

/** Whether the town keeps a person from working at all: they are suspended, or cannot sign in. Missing documents do not. */
export const isKeptFromWork = (person: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from holds restriction where restriction.user_id = ${person} and restriction.lifted_at is null
    and (restriction.kind = 'sign-in' or restriction.suspension_id is not null))`;

/** Why a person cannot sign in now, in the words of the operator; null when they can. */
export const signInRestrictionSql = (person: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`(select restriction.reason from holds restriction
    where restriction.user_id = ${person} and restriction.kind = 'sign-in' and restriction.lifted_at is null
    order by restriction.from_at desc limit 1)`;

export async function findSignInRestriction(tx: Tx, userId: string): Promise<string | undefined> {
  const restriction = await queryRow<{ reason: string | null }>(
    tx,
    sql`select ${signInRestrictionSql(sql`${userId}::uuid`)} as reason`,
  );
  return restriction?.reason ?? undefined;
}

const HELD_WORK = ['holds_of_bud', 'holds_of_worker'];

/** Whether a statement failed because the trigger found a restriction on the person who was to get new work. */
export const isHeldWork = (error: unknown): boolean => HELD_WORK.includes(violatedConstraint(error) ?? '');

/** Throws the error of a failed statement, or the refusal for the caller: the Bud, or the worker. */
export function refuseHeldWork(error: unknown, caller: 'Bud' | 'worker'): never {
  if (!isHeldWork(error)) throw error;
  const isOwn = caller === 'worker' || violatedConstraint(error) === 'holds_of_bud';
  return refuse(isOwn ? 'newWorkHeld' : 'scrubUnavailable');
}

/** Lets the nearby search find a Scrub who wants to be found and may take work. Lock the person before. */
export async function applyScrubVisibility(tx: Tx, scrubId: string): Promise<void> {
  await tx
    .updateTable('scrub_places as p')
    .from('users as u')
    .set({ active: sql<boolean>`u.is_active and not ${isRestrictedFrom('new-work', sql`u.id`)}` })
    .whereRef('u.id', '=', 'p.scrub_id')
    .where('p.scrub_id', '=', scrubId)
    .execute();
}
