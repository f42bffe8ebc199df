import { sql } from 'kysely';
import type { RestrictionKind, SuspensionStatus } from '../../domain/restrictions.ts';
import { lockUser } from '../auth/restrictions.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { PersonRecord } from './people.sql.ts';
import { findPerson } from './people.sql.ts';

/** Locks a person. Lock their open work before, as steps do. */
export async function lockPerson(tx: Tx, id: string): Promise<PersonRecord | undefined> {
  await lockUser(tx, id);
  return findPerson(tx, id);
}

export type NewRestriction = {
  readonly id: string;
  readonly userId: string;
  readonly kind: RestrictionKind;
  readonly reason: string;
  readonly suspensionId: string | null;
  readonly by: string;
  readonly at: Date;
};

/** Violates `holds_one_of_kind` for a second one that belongs to no suspension. Lock the person before. */
export async function insertRestriction(tx: Tx, restriction: NewRestriction): Promise<void> {
  const { id, userId, kind, reason, suspensionId, by, at } = restriction;
  await tx
    .insertInto('holds')
    .values({ id, user_id: userId, kind, reason, suspension_id: suspensionId, from_at: at, set_by: by })
    .execute();
}

/**
 * The reason of the restriction of a kind that belongs to no suspension and to no admission: it stays until an operator lifts it.
 * Undefined when there is none.
 */
export async function findRestrictionReason(
  tx: Tx,
  userId: string,
  kind: RestrictionKind,
): Promise<string | undefined> {
  const restriction = await selectRestrictionByHand(tx, userId, kind).select('reason').executeTakeFirst();
  return restriction?.reason;
}

const selectRestrictionByHand = (tx: Tx, userId: string, kind: RestrictionKind) =>
  tx
    .selectFrom('holds')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('suspension_id', 'is', null)
    .where('of_admission', '=', false)
    .where('of_erasure', '=', false)
    .where('lifted_at', 'is', null);

/** Changes the reason of an operator's restriction. */
export async function setRestrictionReason(
  tx: Tx,
  userId: string,
  kind: RestrictionKind,
  reason: string,
): Promise<void> {
  await tx
    .updateTable('holds')
    .set({ reason })
    .where('id', 'in', selectRestrictionByHand(tx, userId, kind).select('id'))
    .execute();
}

type Lifting = { readonly by: string | null; readonly at: Date };

/** Lifts the restriction of a kind that belongs to no suspension and to no admission. False when there is none. */
export async function liftRestriction(
  tx: Tx,
  userId: string,
  kind: RestrictionKind,
  { by, at }: Lifting,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('holds')
    .set({ lifted_at: at, lifted_by: by })
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('suspension_id', 'is', null)
    .where('of_admission', '=', false)
    .where('of_erasure', '=', false)
    .where('lifted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type SuspensionRecord = {
  readonly id: string;
  readonly userId: string;
  readonly reason: string;
  readonly status: SuspensionStatus;
  readonly fromAt: Date;
  readonly untilAt: Date;
  readonly setBy: string;
  readonly setByName: string;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly endedByName: string | null;
};

const SUSPENSION = sql`select s.id, s.user_id as "userId", s.reason, s.status, s.from_at as "fromAt", s.until_at as "untilAt",
    s.set_by as "setBy", setter.fullname as "setByName", s.ended_at as "endedAt", s.ended_by as "endedBy",
    ender.fullname as "endedByName"
  from suspensions s join operators setter on setter.id = s.set_by left join operators ender on ender.id = s.ended_by`;

/** The suspension of a person; undefined when they are not suspended. */
export const findSuspension = (tx: Tx, userId: string): Promise<SuspensionRecord | undefined> =>
  queryRow(tx, sql`${SUSPENSION} where s.user_id = ${userId} and s.status = 'suspended'`);

/** The person of a suspension. */
export const findPersonOfSuspension = async (tx: Tx, id: string): Promise<string | undefined> =>
  (await tx.selectFrom('suspensions').select('user_id').where('id', '=', id).executeTakeFirst())?.user_id;

/** The suspensions of a person that are over, newest first. */
export const listPastSuspensions = (tx: Tx, userId: string, limit: number): Promise<SuspensionRecord[]> =>
  queryRows(
    tx,
    sql`${SUSPENSION} where s.user_id = ${userId} and s.status <> 'suspended' order by s.from_at desc limit ${limit}`,
  );

export type NewSuspension = {
  readonly id: string;
  readonly userId: string;
  readonly reason: string;
  readonly at: Date;
  readonly until: Date;
  readonly by: string;
};

/** Violates `suspensions_one_now` while the person is suspended. */
export async function insertSuspension(tx: Tx, suspension: NewSuspension): Promise<void> {
  const { id, userId, reason, at, until, by } = suspension;
  await tx
    .insertInto('suspensions')
    .values({ id, user_id: userId, reason, status: 'suspended', from_at: at, until_at: until, set_by: by })
    .execute();
}

export async function setSuspensionEnd(tx: Tx, id: string, until: Date): Promise<void> {
  await tx.updateTable('suspensions').set({ until_at: until }).where('id', '=', id).execute();
}

/** Ends a suspension and lifts its restrictions. Lock the person before. */
export async function endSuspension(
  tx: Tx,
  id: string,
  { to, by, at }: Lifting & { to: Exclude<SuspensionStatus, 'suspended'> },
): Promise<void> {
  await tx
    .updateTable('suspensions')
    .set({ status: to, ended_at: at, ended_by: by })
    .where('id', '=', id)
    .where('status', '=', 'suspended')
    .execute();
  await tx
    .updateTable('holds')
    .set({ lifted_at: at, lifted_by: by })
    .where('suspension_id', '=', id)
    .where('lifted_at', 'is', null)
    .execute();
}

/** What a person is kept from now, each kind once. */
export const listPresentRestrictions = async (tx: Tx, userId: string): Promise<RestrictionKind[]> =>
  (
    await tx
      .selectFrom('holds')
      .select('kind')
      .distinct()
      .where('user_id', '=', userId)
      .where('lifted_at', 'is', null)
      .orderBy('kind')
      .execute()
  ).map(({ kind }) => kind);

export type RestrictionRecord = {
  readonly kind: RestrictionKind;
  readonly reason: string;
  readonly fromAt: Date;
  /** Null for one of admission or of an erasure, which nobody sets. */
  readonly setBy: string | null;
  readonly setByName: string | null;
  readonly isOfAdmission: boolean;
  readonly isOfErasure: boolean;
  readonly isOfSuspension: boolean;
  readonly liftedAt: Date | null;
  readonly liftedBy: string | null;
  readonly liftedByName: string | null;
};

/** The restrictions of a person, now and before, newest first. */
export const listRestrictions = (tx: Tx, userId: string, limit: number): Promise<RestrictionRecord[]> =>
  queryRows(
    tx,
    sql`select h.kind, h.reason, h.from_at as "fromAt", h.set_by as "setBy", setter.fullname as "setByName",
        h.suspension_id is not null as "isOfSuspension", h.of_admission as "isOfAdmission", h.of_erasure as "isOfErasure", h.lifted_at as "liftedAt", h.lifted_by as "liftedBy",
        lifter.fullname as "liftedByName"
      from holds h left join operators setter on setter.id = h.set_by left join operators lifter on lifter.id = h.lifted_by
      where h.user_id = ${userId} order by h.from_at desc, h.kind limit ${limit}`,
  );
