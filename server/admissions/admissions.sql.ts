import { type RawBuilder, sql } from 'kysely';
import type { AdmissionStatus, DocumentKind, DocumentState, Requirement, WorkerRole } from '../../domain/admissions.ts';
import { isRestrictedFrom, lockUser } from '../auth/restrictions.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { asksDocumentsFrom, asksDocumentsSince, isAdmissionCareful, takesDocuments } from '../town/policies.sql.ts';

export type Admission = {
  readonly id: string;
  readonly role: WorkerRole;
  readonly status: AdmissionStatus;
  readonly since: Date;
  readonly worksUntil: Date | null;
  /** When the worker was asked last, and for which documents. Null in older rows. */
  readonly askedAt: Date;
  readonly askedFor: readonly DocumentKind[] | null;
  readonly step: number;
};

const COLUMNS = sql`a.id, a.role, a.status, a.since, a.works_until as "worksUntil", coalesce(a.asked_at, a.since) as "askedAt",
  a.asked_for as "askedFor", a.step`;

export const findAdmission = (tx: Tx, id: string): Promise<Admission | undefined> =>
  queryRow(tx, sql`select ${COLUMNS} from admissions a where a.id = ${id}`);

/**
 * Locks a worker until the transaction ends: steps that give them new work wait and then read their restrictions, and other decisions
 * about their documents wait. Undefined when they have no admission yet.
 */
export async function lockAdmission(tx: Tx, id: string): Promise<Admission | undefined> {
  await lockUser(tx, id);
  return findAdmission(tx, id);
}

const readFlag = async (tx: Tx, flag: RawBuilder<boolean>): Promise<boolean> =>
  (await queryRow<{ isOn: boolean }>(tx, sql`select ${flag} as "isOn"`))?.isOn ?? false;

/** Whether workers get work only once their documents are accepted, now. */
export const areDocumentsRequired = (tx: Tx, now: Date): Promise<boolean> =>
  readFlag(tx, isAdmissionCareful(sql`${now}`));

/** Whether workers can send documents now: also before the day from which they need them. */
export const readTakesDocuments = (tx: Tx, now: Date): Promise<boolean> => readFlag(tx, takesDocuments(sql`${now}`));

type Asking = { readonly since: Date | null; readonly from: Date | null };

/** Since when documents are required without interruption, and from when they will be. */
export const readRequirementPeriod = async (tx: Tx, now: Date): Promise<Asking> =>
  (await queryRow<Asking>(
    tx,
    sql`select ${asksDocumentsSince(sql`${now}`)} as since, ${asksDocumentsFrom(sql`${now}`)} as "from"`,
  )) ?? { since: null, from: null };

export async function listRequirements(tx: Tx, role: WorkerRole): Promise<Requirement[]> {
  const rows = await tx
    .selectFrom('requirements')
    .select(['kind', 'needed', 'renew_days as renewDays'])
    .where('role', '=', role)
    .orderBy('needed', 'desc')
    .orderBy(sql`array_position(array['identity', 'licence', 'insurance', 'detergent-safety'], kind)`)
    .execute();
  return rows;
}

type NewAdmission = Pick<Admission, 'id' | 'role' | 'worksUntil'> & { readonly askedFor: readonly DocumentKind[] };

/** Does nothing when there is one. */
export async function insertAdmission(tx: Tx, admission: NewAdmission, since: Date): Promise<void> {
  const { id, role, worksUntil, askedFor } = admission;
  const asked = { asked_at: since, asked_for: [...askedFor] };
  await tx
    .insertInto('admissions')
    .values({ id, role, status: 'new', since, works_until: worksUntil, ...asked })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type Change = {
  readonly status: AdmissionStatus;
  readonly worksUntil: Date | null;
  /** Set when the worker was asked again: when, and for which documents. */
  readonly askedAt?: Date;
  readonly askedFor?: readonly DocumentKind[];
  /** The operator who decided; undefined for other steps. */
  readonly decidedBy?: string | undefined;
};

/** Changes a locked admission. */
export async function updateAdmission(tx: Tx, admission: Admission, change: Change, at: Date): Promise<Admission> {
  const { status, worksUntil, decidedBy, askedAt = admission.askedAt, askedFor = admission.askedFor } = change;
  const since = status === admission.status ? admission.since : at;
  await tx
    .updateTable('admissions')
    .set((eb) => ({
      ...{ status, since, works_until: worksUntil, step: eb('step', '+', 1) },
      ...{ asked_at: askedAt, asked_for: askedFor && [...askedFor] },
      ...(decidedBy === undefined ? {} : { decided_by: decidedBy, decided_at: at }),
    }))
    .where('id', '=', admission.id)
    .execute();
  return { ...admission, status, since, worksUntil, askedAt, askedFor, step: admission.step + 1 };
}

export type DocumentRow = {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly fileId: string;
  readonly state: DocumentState;
  readonly expiresOn: string | null;
  readonly lastDay: string | null;
  readonly sentAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedByName: string | null;
  readonly why: string | null;
  readonly isKept: boolean;
};

/** The documents of a person: those that are open or count first, and then newest first. */
export const listDocuments = (tx: Tx, userId: string, limit: number): Promise<DocumentRow[]> =>
  queryRows(
    tx,
    sql`select d.id, d.kind, d.file_id as "fileId", d.state, d.expires_on as "expiresOn", d.last_day as "lastDay",
        d.sent_at as "sentAt", d.decided_at as "decidedAt", decider.fullname as "decidedByName", d.why,
        file.gone_at is null as "isKept"
      from documents d join files file on file.id = d.file_id left join operators decider on decider.id = d.decided_by
      where d.user_id = ${userId} order by (d.state in ('waiting', 'asked-again', 'accepted')) desc, d.sent_at desc, d.id desc
      limit ${limit}`,
  );

const COUNTS: readonly DocumentState[] = ['waiting', 'asked-again', 'accepted'];

/** The documents of a person that count, wait, or must be sent again: at most two of each kind. */
export async function listOpenDocuments(
  tx: Tx,
  userId: string,
): Promise<Omit<DocumentRow, 'decidedByName' | 'isKept'>[]> {
  return tx
    .selectFrom('documents')
    .where('user_id', '=', userId)
    .where('state', 'in', COUNTS)
    .select(['id', 'kind', 'file_id as fileId', 'state', 'expires_on as expiresOn', 'last_day as lastDay'])
    .select(['sent_at as sentAt', 'decided_at as decidedAt', 'why'])
    .orderBy('sent_at')
    .execute();
}

type NewDocument = {
  readonly id: string;
  readonly userId: string;
  readonly kind: DocumentKind;
  readonly fileId: string;
  readonly expiresOn: string | null;
};

/** Violates `documents_one_open` while another one of the kind is open. */
export async function insertDocument(tx: Tx, { id, userId, kind, fileId, expiresOn }: NewDocument, at: Date) {
  await tx
    .insertInto('documents')
    .values({ id, user_id: userId, kind, file_id: fileId, state: 'waiting', expires_on: expiresOn, sent_at: at })
    .execute();
}

type DocumentChange = {
  readonly state: DocumentState;
  readonly by?: string | undefined;
  readonly why?: string | undefined;
  readonly lastDay?: string | null;
  /** When the picture is erased. */
  readonly eraseAt?: Date;
};

export async function updateDocuments(tx: Tx, ids: readonly string[], change: DocumentChange, at: Date): Promise<void> {
  if (ids.length === 0) return;
  const { state, by, why, lastDay, eraseAt } = change;
  await tx
    .updateTable('documents')
    .set({
      state,
      decided_at: at,
      ...(by === undefined ? {} : { decided_by: by }),
      ...(why === undefined ? {} : { why }),
      ...(lastDay === undefined ? {} : { last_day: lastDay }),
      // An earlier erase time is never postponed.
      ...(eraseAt === undefined ? {} : { erase_at: sql`least(erase_at, ${eraseAt})` }),
    })
    .where('id', 'in', [...ids])
    .execute();
}

/** Whether a worker has completed an order or a delivery. */
export async function hasWorked(tx: Tx, { id, role }: { id: string; role: WorkerRole }): Promise<boolean> {
  const done =
    role === 'Scrub'
      ? sql`order_tallies t where t.person_id = ${id} and t.status = 'Completed' and t.orders > 0`
      : sql`delivery_tallies t where t.person_id = ${id} and t.status = 'Delivered' and t.deliveries > 0`;
  return (await queryRow(tx, sql`select 1 as one from ${done} limit 1`)) !== undefined;
}

/** Whom a mail about documents goes to. */
export type Addressee = {
  readonly fullname: string;
  readonly email: string;
  readonly role: WorkerRole;
  /** Whether a Scrub wants to be found. */
  readonly isActive: boolean;
  readonly isHeld: boolean;
};

export const findWorker = (tx: Tx, id: string): Promise<Addressee | undefined> =>
  queryRow(
    tx,
    sql`select u.fullname, u.email, u.role, u.is_active as "isActive", ${isRestrictedFrom('new-work', sql`u.id`)} as "isHeld"
      from users u where u.id = ${id}`,
  );

const RESTRICTION_REASON = 'Their documents are not accepted.';

/** Sets or lifts the worker's admission restriction. Returns whether that changed. Lock the worker before. */
export async function setAdmissionRestriction(
  tx: Tx,
  userId: string,
  { isHeld, newId, at, by }: { isHeld: boolean; newId: () => string; at: Date; by: string | null },
): Promise<boolean> {
  const changed = isHeld
    ? sql`insert into holds (id, user_id, kind, reason, from_at, of_admission)
        values (${newId()}, ${userId}, 'new-work', ${RESTRICTION_REASON}, ${at}, true)
        on conflict (user_id) where lifted_at is null and of_admission do nothing returning 1 as one`
    : sql`update holds set lifted_at = ${at}, lifted_by = ${by}
        where user_id = ${userId} and lifted_at is null and of_admission returning 1 as one`;
  return (await queryRow(tx, changed)) !== undefined;
}
