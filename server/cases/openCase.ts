import { v7 as newUuid } from 'uuid';
import { type CaseKind, type CaseOpening, checkCaseStep, type KindOfPeople } from '../../domain/cases.ts';
import type { ClaimItem } from '../../domain/claims.ts';
import type { Tx } from '../db/database.ts';
import { recordCaseEvent, type StepContext } from './caseEvents.ts';
import { addCasePeople, moveCase, type StepBy, type StepDetails } from './caseSteps.sql.ts';
import { lockCase } from './cases.sql.ts';
import { holdClaim, releaseHolds } from './claimHolds.ts';
import { findAutomaticCase, insertCase, insertItems, listPeopleOf, type NewCase } from './newCase.sql.ts';

/** A problem that a step has found. */
export type FoundProblem = {
  readonly kind: Exclude<CaseKind, KindOfPeople>;
  readonly orderId: string;
  readonly deliveryId?: string | undefined;
  readonly reason?: string | null | undefined;
  readonly words?: string | null | undefined;
  /** The person whose step reports it, with their words. Without one, the server has found it. */
  readonly by?: Extract<StepBy, { readonly id: string }> | undefined;
  /** The person who may have caused it. */
  readonly aboutUser?: { readonly userId: string; readonly role: 'Scrub' | 'Duber' } | undefined;
};

const URGENT: readonly CaseKind[] = ['lost', 'relay', 'chargeback'];
/** Cases that open for the town, and the person whom they are about. */
const OF_THE_TOWN: readonly CaseKind[] = ['chargeback', 'same-people', 'platform-pay'];
export const priorityOf = (kind: CaseKind) => (URGENT.includes(kind) ? 'high' : 'normal');

/**
 * Opens a case for the town, in the transaction of the step that found the problem. There is one open case of a kind about a
 * delivery, or about an order without one: a repeat returns it and changes nothing. Returns the id of the case.
 */
export async function openCase(tx: Tx, problem: FoundProblem, at: Date): Promise<string> {
  const { kind, orderId, deliveryId, reason = null, words = null, by, aboutUser } = problem;
  const subjectId = deliveryId ?? orderId;
  const people = OF_THE_TOWN.includes(kind) ? [] : await listPeopleOf(tx, orderId, deliveryId);
  const id = newUuid();
  const row: NewCase = {
    ...{ id, kind, reason, orderId, deliveryId: deliveryId ?? null, openedBy: null },
    ...{ about: aboutUser ?? null, status: 'with-town', priority: priorityOf(kind) },
  };
  const opened = { row, people: [...people, ...(aboutUser ? [aboutUser.userId] : [])], action: 'open' } as const;
  const isNew = await insertOpenedCase(
    tx,
    { newId: newUuid, at },
    { ...opened, by: by ?? { role: 'System' }, report: { words } },
  );
  return isNew ? id : ((await findAutomaticCase(tx, kind, subjectId)) ?? openCase(tx, problem, at));
}

type MistakenStep = Pick<FoundProblem, 'kind'> & { readonly deliveryId: string; readonly stepAt: Date };

/**
 * The step that opened a case was a mistake: closes the case, unless the town has decided about it. A case that an earlier step has
 * opened stays. Call it before money is locked.
 */
export async function closeTakenBack(tx: Tx, { kind, deliveryId, stepAt }: MistakenStep, at: Date): Promise<void> {
  await closeBySystem(tx, { kind, subjectId: deliveryId, action: 'taken-back', openedAt: stepAt }, at);
}

/** Who takes the laundry of a delivery has it: wrong PINs no longer matter, and what waits for their case is payable. */
export async function closeConfirmed(tx: Tx, deliveryId: string, at: Date): Promise<void> {
  await closeBySystem(tx, { kind: 'wrong-pin', subjectId: deliveryId, action: 'confirmed' }, at);
}

type Consequence = Pick<FoundProblem, 'kind'> & {
  readonly subjectId: string;
  readonly action: 'taken-back' | 'confirmed';
  readonly openedAt?: Date;
};

async function closeBySystem(tx: Tx, { kind, subjectId, action, openedAt }: Consequence, at: Date): Promise<void> {
  const id = await findAutomaticCase(tx, kind, subjectId);
  const row = id === undefined ? undefined : await lockCase(tx, id);
  if (!row || (openedAt && row.createdAt.getTime() !== openedAt.getTime())) return;
  const by = { role: 'System' } as const;
  const facts = { decidedAt: row.decidedAt ?? undefined, wasContested: row.contestedAt !== null, now: at };
  const others = { isOfferPossible: false, isBorneByCaller: false, isSaidByDuber: false, wasDenied: false };
  const step = checkCaseStep({ action, status: row.status, by: by.role }, { ...facts, ...others, otherReports: [] });
  if (!step.ok || !(await moveCase(tx, { ...row, from: row.status, to: step.to }))) return;
  await recordCaseEvent(tx, { newId: newUuid, at }, { row, action, status: step.to, by, report: {} });
  await releaseHolds(tx, row, at);
}

export type OpenedCase = {
  readonly row: NewCase;
  readonly people: readonly string[];
  readonly items?: readonly ClaimItem[];
  readonly action: CaseOpening;
  readonly by: StepBy;
  readonly report: StepDetails;
};

/** Writes a new case with its first event. False when such a case is open already. */
export async function insertOpenedCase(
  tx: Tx,
  context: StepContext,
  { row, people, items = [], action, by, report }: OpenedCase,
): Promise<boolean> {
  if (!(await insertCase(tx, row, context.at))) return false;
  if (people.length > 0) await addCasePeople(tx, row.id, people);
  if (items.length > 0) await insertItems(tx, row.id, items);
  await recordCaseEvent(tx, context, {
    row: { id: row.id, kind: row.kind, steps: 0 },
    action,
    status: row.status,
    by,
    report,
  });
  const askedCents = items.reduce((sum, { asked }) => sum + asked, 0);
  const { id, orderId, about } = row;
  await holdClaim(
    tx,
    { id, orderId, askedCents, aboutUser: about?.userId ?? null, aboutRole: about?.role ?? null },
    context.at,
  );
  return true;
}
