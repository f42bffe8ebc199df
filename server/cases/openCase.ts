import { v7 as newUuid } from 'uuid';
import type { CaseKind, CaseOpening, KindOfPeople } from '../../domain/cases.ts';
import { type ClaimItem, sumClaimed } from '../../domain/claims.ts';
import { openingRow } from '../../domain/process/case.ts';
import type { Tx } from '../db/database.ts';
import { SYSTEM } from '../process/takeStep.ts';
import { announceCaseEvent, writeCaseEvent } from './caseEvents.ts';
import { addCasePeople, type StepBy, type StepDetails } from './caseSteps.sql.ts';
import { holdClaim } from './claimHolds.ts';
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
  const isNew = await insertOpenedCase(tx, { ...opened, by: by ?? SYSTEM, report: { words } }, at);
  return isNew ? id : ((await findAutomaticCase(tx, kind, subjectId)) ?? openCase(tx, problem, at));
}

export type OpenedCase = {
  readonly row: NewCase;
  readonly people: readonly string[];
  readonly items?: readonly ClaimItem[];
  readonly action: CaseOpening;
  readonly by: StepBy;
  readonly report: StepDetails;
};

/** Writes a new case with its first event, and causes what its row of CASE_OPENINGS causes. False when such a case is open already. */
export async function insertOpenedCase(
  tx: Tx,
  { row, people, items = [], action, by, report }: OpenedCase,
  at: Date,
): Promise<boolean> {
  const { holds, notifies } = openingRow(action, row.kind);
  if (!(await insertCase(tx, row, at))) return false;
  if (people.length > 0) await addCasePeople(tx, row.id, people);
  if (items.length > 0) await insertItems(tx, row.id, items);
  const { id, orderId, about, status } = row;
  const event = { caseId: id, position: 0, status, by };
  const eventId = await writeCaseEvent(tx, { ...event, action, report }, at);
  await announceCaseEvent(tx, { eventId, notifies }, event, at);
  if (!holds) return true;
  const taken = { at, by: by.role, offer: null, offerCents: null, askedCents: sumClaimed(items), givenCents: 0 };
  const person = { aboutUser: about?.userId ?? null, aboutRole: about?.role ?? null };
  await holdClaim(tx, { id, orderId, ...person }, holds(taken), at);
  return true;
}
